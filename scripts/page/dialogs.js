/** @typedef {import('playwright-core').Page} Page */

/**
 * Returns a function that opens a dialog with a button.
 * @param {string | RegExp} name
 * @returns {(page: Page) => Promise<void>}
 */
const byButton = (name) => async (page) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
};

/** @param {Page} page */
async function goTo(page) {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('checkout');
  await page.getByRole('option').first().waitFor();
}

/** @param {Page} page */
async function review(page) {
  await page.getByRole('button', { name: /^Rule 1: / }).click();
  await page.getByLabel('Pass percentage of rule 1', { exact: true }).fill('50');
  await page.getByRole('button', { name: 'Certain users' }).click();
  await page.keyboard.type('u-1, u-2,');
  await byButton(/^Review/)(page);
}

/** @param {Page} page */
async function refused(page) {
  await page.getByRole('button', { name: /^Rule 1: / }).click();
  await page.getByLabel('Pass percentage of rule 1', { exact: true }).fill('500');
  await byButton(/^Review/)(page);
  await page.getByText('Not saved').waitFor();
}

/** @param {Page} page */
async function bulk(page) {
  await page.getByLabel('Select One-page checkout').click();
  await byButton('Archive …')(page);
}

/** @param {Page} page */
async function more(page) {
  await page.getByRole('button', { name: 'More' }).click();
  await byButton('Delete …')(page);
}

/** @param {Page} page */
async function explained(page) {
  await page.getByLabel('User ID').fill('u-17');
  await page.locator('.try-rules').waitFor();
}

/**
 * Edits a gate, and tests it with a user who passes because of the edited rule.
 * @param {Page} page
 */
export async function testUser(page) {
  await page.getByLabel('User ID').fill('u-1');
  await page.getByLabel('Country', { exact: true }).fill('DE');
  await page.getByRole('button', { name: /^Rule 2: / }).click();
  await page.getByLabel('Pass percentage of rule 2', { exact: true }).fill('50');
  await page.getByText('passes below 50').waitFor();
  // On whom a share falls differs from project to project: one who passes is looked for.
  for (let user = 1; user < 20; user++) {
    if (await page.getByText('Passes: matched rule 2').isVisible()) break;
    await page.getByLabel('User ID').fill(`u-${user}`);
    await page.waitForTimeout(500);
  }
}

/** Dialogs and page states for screenshots, with their page and how to open them. */
export const dialogs = [
  { name: 'go to', address: '/', open: goTo },
  { name: 'review', address: '/gates/one_page_checkout', open: review },
  { name: 'refused', address: '/gates/one_page_checkout', open: refused },
  { name: 'tried', address: '/gates/one_page_checkout', open: testUser },
  { name: 'disable', address: '/gates/one_page_checkout', open: byButton('Disable …') },
  { name: 'delete', address: '/gates/one_page_checkout', open: more },
  {
    name: 'restore',
    address: '/gates/one_page_checkout/history',
    open: byButton(/^Restore version/),
  },
  { name: 'new gate', address: '/gates', open: byButton('New gate') },
  { name: 'new key', address: '/keys', open: byButton('New API key') },
  { name: 'new webhook', address: '/webhooks', open: byButton('New webhook') },
  { name: 'bulk', address: '/gates', open: bulk },
  { name: 'decide', address: '/experiments/product_photos', open: byButton('Decide …') },
  { name: 'explained', address: '/experiments/free_delivery_from/try', open: explained },
  { name: 'warehouse', address: '/connections', open: byButton(/^(Connect|Change) …/) },
];
