import type { Page } from 'playwright-core';
import { button, everyone, makeGate, visit } from './browser.ts';

export const share = (page: Page) => page.getByLabel('Pass percentage of rule 1', { exact: true });

/** Opens the fields of all rules of a gate. */
export async function openRules(page: Page): Promise<void> {
  const rules = page.locator('.rule2-button');
  await rules.first().waitFor();
  for (const rule of await rules.all())
    if ((await rule.getAttribute('aria-expanded')) === 'false') await rule.click();
}

/** Opens a gate with a rule for 10% and types another share. */
export async function editing(to = '50') {
  const rules = [{ ...everyone(10), baseID: 'another' }];
  const gate = await makeGate({ rules, description: 'As it was.' });
  const page = await visit(`/gates/${gate.id}`);
  await openRules(page);
  await share(page).fill(to);
  return { gate, page };
}

export const review = (page: Page) => button(page, /^Review/).click();
export const save = (page: Page) => button(page, /^Save/).click();

export const paste = (page: Page, text: string) =>
  page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', ${JSON.stringify(text)});
    const options = { clipboardData, bubbles: true, cancelable: true };
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', options));
  }`);

export function latch() {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { gone, letGo };
}
