// SPDX-License-Identifier: Apache-2.0
// Questions to the service. A newer question of the same kind takes the place of an older one.

const running = new Map();

export async function ask(path, request) {
  const kind = path.split('?')[0];
  running.get(kind)?.abort();
  const control = new AbortController();
  running.set(kind, control);
  const options = request === undefined
    ? {}
    : { method: 'POST', body: JSON.stringify(request), headers: { 'Content-Type': 'application/json' } };
  return send(path, { ...options, signal: control.signal });
}

async function send(path, options) {
  const token = sessionStorage.getItem('token');
  const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(path, { ...options, headers });
  if (answer.status === 401) {
    const given = window.prompt('This service needs a token.');
    if (given) {
      sessionStorage.setItem('token', given);
      return send(path, options);
    }
  }
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error ?? `status ${answer.status}`);
  return body;
}

export function showError(error) {
  const place = document.getElementById('error');
  if (error?.name === 'AbortError') return;
  place.textContent = error ? error.message : '';
  place.hidden = !error;
}

export function debounced(work, wait = 250) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), wait);
  };
}

// An element with attributes, some of which may be listeners (onclick), and children.
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}
