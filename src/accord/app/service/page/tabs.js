// SPDX-License-Identifier: Apache-2.0
// The tabs of smaller tasks: entities, phrases, compressions, summaries, Chinese words.

import { ask, debounced, element, showError } from './api.js';
import { picture } from './tree.js';

const byId = (id) => document.getElementById(id);

export function fill(select, values) {
  select.replaceChildren(...values.map((value) => element('option', { value }, value)));
}

async function answer(name, path, request, show) {
  const place = byId(`${name}-answer`);
  try {
    place.replaceChildren(...show(await ask(path, request)));
    showError(null);
  } catch (error) {
    showError(error);
  }
}

const TASKS = {
  entities: {
    path: '/entities',
    request: () => ({ text: byId('entities-text').value, model: byId('entities-model').value }),
    show: (found) => found.tokens.map((tokens, number) => element('p', {}, ...marked(tokens, found.spans[number]))),
  },
  constituents: {
    path: '/constituents',
    request: () => ({ text: byId('constituents-text').value, model: byId('constituents-model').value, draw: true }),
    show: (found) => found.svg.map((svg, number) => element('figure', {}, picture(svg), element('pre', {}, found.brackets[number] ?? ''))),
  },
  compress: {
    path: '/compress',
    request: () => ({ text: byId('compress-text').value, rate: Number(byId('compress-rate').value) / 100 }),
    show: (found) => [
      element('p', {}, element('strong', {}, found.text)),
      ...found.sentences.map((one) => element('p', {}, ...kept(one))),
    ],
  },
  summarize: {
    path: '/summarize',
    request: () => ({ texts: byId('summarize-text').value.split(/^---+$/m), words: Number(byId('summarize-words').value) }),
    show: (found) => [
      element('p', {}, element('strong', {}, found.text || 'No sentence fits the budget.')),
      element('p', { class: 'hint' }, `${found.words} words; ${proof(found)}`),
    ],
  },
  segment: {
    path: '/segment',
    request: () => ({ texts: byId('segment-text').value.split('\n'), model: byId('segment-model').value }),
    show: (found) => found.words.map((words) => element('p', { class: 'words' }, ...words.map((one) => element('span', {}, one)))),
  },
};

function marked(tokens, spans) {
  const parts = [];
  let next = 0;
  for (const span of spans) {
    parts.push(tokens.slice(next, span.start).join(' '), ' ');
    parts.push(element('mark', {}, tokens.slice(span.start, span.end).join(' '), element('sub', {}, span.type)), ' ');
    next = span.end;
  }
  return [...parts, tokens.slice(next).join(' ')];
}

function kept(one) {
  return one.tokens.flatMap((token, word) => [one.mask[word] === '1' ? token : element('del', {}, token), ' ']);
}

const proof = (found) => (found.status === 'optimal' ? 'proved best within the budget' : `status ${found.status}`);

export function setUp(about, remember) {
  const models = (path) => about.tasks[path]?.models ?? [];
  fill(byId('entities-model'), models('/entities'));
  fill(byId('constituents-model'), models('/constituents'));
  fill(byId('segment-model'), [...models('/segment')].sort((one) => (one === 'zh' ? -1 : 0)));
  for (const [name, task] of Object.entries(TASKS)) {
    const run = debounced(() => {
      remember();
      if (byId(`${name}-text`).value.trim()) answer(name, task.path, task.request(), task.show);
      else byId(`${name}-answer`).replaceChildren();
    });
    byId(name).addEventListener('input', () => {
      showLengths();
      run();
    });
    task.run = run;
  }
  showLengths();
}

export function showLengths() {
  byId('compress-shown').textContent = `${byId('compress-rate').value} %`;
  byId('summarize-shown').textContent = byId('summarize-words').value;
}

export const open = (name) => TASKS[name]?.run();
export const paths = Object.fromEntries(Object.entries(TASKS).map(([name, task]) => [name, task.path]));
