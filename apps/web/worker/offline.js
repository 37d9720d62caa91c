// Shows the waiting items last seen on this device (stored by apps/web/home/last-waits.ts) when there is no network.
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
