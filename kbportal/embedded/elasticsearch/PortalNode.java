import java.nio.file.Path;
import java.util.Map;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/** One Elasticsearch node on loopback: PortalNode HOME SETTING=VALUE… (the settings of elasticsearch.yml). */
public final class PortalNode {
    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        Settings.Builder chosen = Settings.builder().put("path.home", home.toString());
        for (int i = 1; i < arguments.length; i++) {
            String[] pair = arguments[i].split("=", 2);
            chosen.put(pair[0], pair[1]);
        }
        Settings settings = chosen.build();
        Environment environment = new Environment(settings, home.resolve("config"));
        LogConfigurator.configureWithoutConfig(settings);
        // false: modules come from class loaders, since the server itself lies on the class path.
        PluginsLoader plugins = PluginsLoader.createPluginsLoader(
            PluginsLoader.loadModulesBundles(environment.modulesDir()),
            PluginsLoader.loadPluginsBundles(environment.pluginsDir()), Map.of(), false);
        Node node = new Node(environment, plugins);
        Thread main = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node)));
        node.start();
        main.join();
    }

    private static void close(Node node) {
        try {
            node.close();
        } catch (java.io.IOException error) {
            System.err.println("the node did not close cleanly: " + error);
        }
    }
}
