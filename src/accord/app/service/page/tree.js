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

// Pictures below each other as a file that needs no page: with the style sheet inside.
export async function standalone(pictures) {
  const style = await (await fetch('page/tree.css')).text();
  const whole = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const sheet = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  sheet.textContent = style;
  whole.append(sheet);
  const size = (svg, name) => Number(svg.getAttribute(name));
  let height = 0;
  for (const svg of pictures) {
    const copy = svg.cloneNode(true);
    copy.setAttribute('y', height);
    whole.append(copy);
    height += size(svg, 'height');
  }
  const width = Math.max(...pictures.map((svg) => size(svg, 'width')));
  for (const [name, value] of Object.entries({ class: 'accord', width, height, viewBox: `0 0 ${width} ${height}` })) whole.setAttribute(name, value);
  return new XMLSerializer().serializeToString(whole);
}
