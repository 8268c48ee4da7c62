import java.util.Map;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.pt.PortugueseLightStemFilter;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.analysis.AbstractTokenFilterFactory;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;

/** Two of Lucene's filters under the names that a full distribution gives them in its module analysis-common. */
public final class PortugueseFilters extends Plugin implements AnalysisPlugin {
    private static final String LANGUAGE = "light_portuguese";

    @Override
    public Map<String, AnalysisProvider<TokenFilterFactory>> getTokenFilters() {
        return Map.of(
            "asciifolding", (index, environment, name, settings) -> new Folding(name, settings),
            "stemmer", (index, environment, name, settings) -> new Stemming(name, settings));
    }

    private static final class Folding extends AbstractTokenFilterFactory {
        Folding(String name, Settings settings) {
            super(name, settings);
        }

        @Override
        public TokenStream create(TokenStream tokens) {
            return new ASCIIFoldingFilter(tokens);
        }
    }

    private static final class Stemming extends AbstractTokenFilterFactory {
        private final String language;

        Stemming(String name, Settings settings) {
            super(name, settings);
            language = settings.get("language");
        }

        @Override
        public TokenStream create(TokenStream tokens) {
            // Not at construction: the server also makes one without settings, which nobody uses.
            if (!LANGUAGE.equals(language)) {
                throw new IllegalArgumentException("this node stems " + LANGUAGE + " alone, not " + language);
            }
            return new PortugueseLightStemFilter(tokens);
        }
    }
}
