// SPDX-License-Identifier: Apache-2.0
// Pictures of trees: put on the page, marked, and saved as files of their own.

export function picture(svg) {
  const frame = document.createElement('div');
  frame.className = 'scroll';
  frame.innerHTML = svg ?? ''; // made by the service, which escapes every text
  return frame;
}

// Marks the arcs of a tree that another tree does not have.
export function markDifferences(frame, tree, best) {
  for (const arc of frame.querySelectorAll('g[data-dependent]')) {
    const word = Number(arc.dataset.dependent) - 1;
    if (tree.heads[word] !== best.heads[word] || tree.deprels[word] !== best.deprels[word]) arc.classList.add('differs');
  }
}

export function markFixed(frame, fixed, number) {
  for (const arc of frame.querySelectorAll('g[data-dependent]')) {
    const own = fixed.some((one) => one.sentence === number && one.dependent === Number(arc.dataset.dependent));
    arc.classList.toggle('fixed', own);
  }
}

export function save(name, kind, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: kind }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

// The first picture as a file that needs no page: with the style sheet inside.
export async function standalone(svg) {
  const style = await (await fetch('page/tree.css')).text();
  const copy = svg.cloneNode(true);
  const sheet = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  sheet.textContent = style;
  copy.prepend(sheet);
  return new XMLSerializer().serializeToString(copy);
}
