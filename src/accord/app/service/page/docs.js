// SPDX-License-Identifier: Apache-2.0
// The OpenAPI description as a page: each path, what it takes, and a field to try it.

import { ask, element, showError } from './api.js';

const typeOf = (schema) => schema.enum?.join(' | ') ?? (schema.items ? `list of ${typeOf(schema.items)}` : [schema.type].flat().join(' or '));

function table(properties) {
  const rows = Object.entries(properties).map(([name, schema]) => element('tr', {}, element('td', {}, element('code', {}, name)), element('td', {}, typeOf(schema)), element('td', {}, schema.description ?? '')));
  return element('table', {}, ...rows);
}

function trial(path, example) {
  const input = element('textarea', { rows: 3, 'aria-label': `Request to ${path}`, spellcheck: 'false' });
  input.value = JSON.stringify(example ?? {});
  const answer = element('pre', { hidden: '' });
  const send = async () => {
    try {
      answer.textContent = JSON.stringify(await ask(path, JSON.parse(input.value)), null, 1);
      showError(null);
    } catch (error) {
      answer.textContent = error.message;
    }
    answer.hidden = false;
  };
  return [input, element('button', { type: 'button', onclick: send }, 'Ask'), answer];
}

function section(path, method, about) {
  const content = about.requestBody?.content ?? {};
  const schema = (content['application/json'] ?? Object.values(content)[0])?.schema;
  const query = Object.fromEntries((about.parameters ?? []).map((one) => [one.name, one.schema]));
  return element('section', {}, element('h2', {}, `${method.toUpperCase()} ${path}`), element('p', {}, about.summary ?? ''),
    table(schema?.properties ?? query), ...(content['application/json'] ? trial(path, content['application/json'].example) : []));
}

ask('/openapi.json').then(({ paths }) => {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, about] of Object.entries(methods)) document.getElementById('paths').append(section(path, method, about));
  }
}).catch(showError);
