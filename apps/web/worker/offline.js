// What waited when it was last seen on this device (apps/web/home/last-waits.ts keeps it), to be read without a network.
const read = () => {
  try {
    return JSON.parse(localStorage.getItem('lastWaits') ?? 'null');
  } catch {
    return null;
  }
};
const last = read();
if (Array.isArray(last?.rows) && last.rows.length > 0) {
  const add = (parent, name, text) =>
    parent.appendChild(Object.assign(document.createElement(name), { textContent: text }));
  const section = add(document.body, 'section', '');
  add(section, 'h2', '上次看到的待办');
  add(section, 'p', `${last.at}，共 ${last.total} 项`);
  const list = add(section, 'ul', '');
  for (const { title, told } of last.rows) {
    const line = add(list, 'li', '');
    add(line, 'strong', title);
    add(line, 'span', told);
  }
}
