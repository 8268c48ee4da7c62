// Narrows the tables of candidates to documents whose code contains what is typed. Without it all rows are shown.
const tools = document.querySelector("[data-candidates]");

if (tools) {
  const box = tools.querySelector("input");
  const told = tools.querySelector("[role=status]");
  const groups = [...document.querySelectorAll("details.group")];
  const rows = groups.map((group) => [...group.querySelectorAll("tbody tr")]);

  const narrow = () => {
    const wanted = box.value.trim().toLowerCase();
    let shown = 0;
    groups.forEach((group, place) => {
      let here = 0;
      for (const row of rows[place]) {
        row.hidden = !row.querySelector("th").textContent.toLowerCase().includes(wanted);
        if (!row.hidden) here += 1;
      }
      group.hidden = here === 0;
      if (wanted) group.open = here > 0;
      shown += here;
    });
    told.textContent = wanted ? String(shown) : "";
  };

  tools.hidden = false;
  box.addEventListener("input", narrow);
}
