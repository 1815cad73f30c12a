// SPDX-License-Identifier: Apache-2.0
// Rules from a menu or typed. A rule from the menu comes with words in capitals, which a person replaces; until then it does not count.

import { element } from './api.js';

const byId = (id) => document.getElementById(id);
const CAPITALS = /[A-Z][A-Z-]+/g; // HEAD, DEPENDENT, LABEL in what the service says of its rules
let blanks = new Set();

const lines = () => byId('rules').value.split('\n').map((line) => line.trim()).filter(Boolean);
const unfinished = (line) => line.split(/[\s.]+/).some((word) => blanks.has(word));

// The rules that count.
export function rules() {
  const found = lines();
  byId('rule-blanks').hidden = !found.some(unfinished);
  return found.filter((line) => !unfinished(line));
}

// What stands in the field after a choice from the menu: the rule without what may be left out, unless nothing else is there.
function begun(usage) {
  const short = usage.replace(/ ?\[[^\]]*\]/g, '').trim();
  return short.includes(' ') || !usage.includes(' ') ? short : usage.replace(/\[([^\]]*)\].*/, '$1');
}

export function setUp(about) {
  blanks = new Set(about.rules.flatMap((usage) => usage.match(CAPITALS) ?? []));
  const menu = byId('rule-menu');
  const field = byId('rules');
  menu.append(...about.rules.map((usage) => element('option', { value: usage }, usage)));
  menu.addEventListener('change', () => {
    const before = field.value.trimEnd() + (field.value.trim() ? '\n' : '');
    const rule = begun(menu.value);
    field.value = before + rule;
    menu.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true })); // which parses again
    field.focus();
    const blank = rule.search(CAPITALS);
    if (blank >= 0) field.setSelectionRange(before.length + blank, before.length + blank + rule.slice(blank).match(CAPITALS)[0].length);
  });
}
