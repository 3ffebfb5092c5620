import { describe, expect } from 'vitest';
import { testUser } from '../../scripts/page/dialogs.js';
import { api, go, testPage, unique, visit } from './browser.ts';
import { openRules } from './editing.ts';

async function makeExperiment() {
  const layer = await api('POST', 'layers', {
    name: unique('Layer'),
    parameters: [{ name: 'size', type: 'number', defaultValue: 1 }],
  });
  const experiment = await api('POST', 'experiments', {
    name: unique('Experiment'),
    layerID: layer.id,
    allocation: 100,
    groups: [
      { name: 'Control', size: 50, parameterValues: { size: 1 } },
      { name: 'Test', size: 50, parameterValues: { size: 2 } },
    ],
  });
  await api('PUT', `experiments/${experiment.id}/start`);
  return { layer, experiment };
}

describe('Try it', () => {
  testPage('displays the same result as the server for an experiment and its layer', async () => {
    const { layer, experiment } = await makeExperiment();
    const asked = { user: { userID: 'u-1' }, kind: 'experiment', id: experiment.id };
    const said = await api('POST', 'evaluate', asked);
    const group = said.traces[0].groupName;
    expect(['Control', 'Test']).toContain(group);
    const page = await visit(`/experiments/${experiment.id}/try`);
    await page.getByLabel('User ID').fill('u-1');
    await page.getByText(`In group “${group}”, gets`).waitFor();
    await page.getByText(`"size": ${said.value.size}`).waitFor();
    await page.locator('.try-rule-decided', { hasText: `${group}: match` }).waitFor();
    await go(page, `/layers/${layer.id}/try`);
    await page.getByLabel('User ID').fill('u-1');
    await page.getByText(`"size": ${said.value.size}`).waitFor();
    await page.getByRole('heading', { name: `In ${experiment.id}` }).waitFor();
    await page.locator('.try-rule-decided', { hasText: `${group}: match` }).waitFor();
  });

  testPage('previews an experiment that has not started', async () => {
    const experiment = await api('POST', 'experiments', {
      name: unique('Experiment'),
      allocation: 100,
      groups: [
        { name: 'Control', size: 50, parameterValues: { size: 1 } },
        { name: 'Test', size: 50, parameterValues: { size: 2 } },
      ],
    });
    const page = await visit(`/experiments/${experiment.id}/try`);
    await page.getByText('Not started: this is a preview').waitFor();
    await page.getByLabel('User ID').fill('u-1');
    await page.getByText(/In group “(Control|Test)”, gets/).waitFor();
    await api('PUT', `experiments/${experiment.id}/start`);
    await page.reload();
    await page.getByLabel('User ID').waitFor();
    expect(await page.getByText('Not started: this is a preview').count()).toBe(0);
  });

  testPage.each([
    ['wide', 1280],
    ['narrow', 390],
  ])('displays the result above the inputs and the save bar: %s', async (_, width) => {
    const rules = Array.from({ length: 12 }, (_, index) => ({
      name: `Rule ${index}`,
      passPercentage: 0,
      conditions: [{ type: 'email', operator: 'any', targetValue: [`u-${index}@shop.example`] }],
    }));
    const gate = await api('POST', 'gates', { name: unique('Gate'), rules });
    const page = await visit(`/gates/${gate.id}`, { width, height: 720 });
    await openRules(page);
    await page.getByLabel('Name of rule 1', { exact: true }).fill('Changed');
    await page.locator('.dock').waitFor();
    await page.getByText('Email, environment, custom fields').click();
    await page.getByLabel('Custom fields').fill('plan=pro');
    await page.getByText('Rule 11: no match').waitFor();
    await page.keyboard.type(' ');
    const [verdict, field, dock] = await Promise.all(
      ['.try-verdict', '.try-form', '.dock'].map((place) => page.locator(place).boundingBox()),
    );
    if (!verdict || !field || !dock) throw new Error('It is not drawn.');
    expect(verdict.y).toBeGreaterThanOrEqual(0);
    expect(verdict.y + verdict.height).toBeLessThan(dock.y);
    await page.getByLabel('User ID').fill('u-1');
    await page.locator('.try').evaluate((panel) => panel.scrollTo(0, 0));
    const [above, below] = await Promise.all(
      ['.try-verdict', '.try-form'].map((place) => page.locator(place).boundingBox()),
    );
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  });

  testPage('displays the environment and the bucket', async () => {
    const conditions = [{ type: 'public' }];
    const rules = [
      { name: 'Staging', passPercentage: 100, environments: ['staging'], conditions },
      { name: 'A tenth', passPercentage: 10, conditions },
    ];
    const gate = await api('POST', 'gates', { name: unique('Gate'), rules });
    const page = await visit(`/gates/${gate.id}`);
    await page.getByLabel('User ID').fill('u-1');
    await page.getByText('environment "production" does not match').waitFor();
    await page.getByText(/^everyone, bucket [\d.]+ of 100, passes below 10$/).waitFor();
  });

  testPage('displays a holdout and a param store', async () => {
    const gate = await api('POST', 'gates', { name: unique('Gate') });
    const holdout = await api('POST', 'holdouts', {
      name: unique('Holdout'),
      isEnabled: true,
      passPercentage: 0,
      gateIDs: [gate.id],
    });
    await api('POST', `holdouts/${holdout.id}/overrides`, { passingUserIDs: ['u-1'] });
    const page = await visit(`/holdouts/${holdout.id}/try`);
    await page.getByLabel('User ID').fill('u-1');
    await page.getByText('Held out', { exact: true }).waitFor();
    await page.getByText('Override by ID').waitFor();
    await page.getByLabel('User ID').fill('u-2');
    await page.getByText('Not held out', { exact: true }).waitFor();
    const store = await api('POST', 'param_stores', {
      name: unique('store').replaceAll(' ', '_'),
      displayName: 'Store',
      description: '',
      parameters: [
        {
          name: 'open',
          ref_type: 'gate',
          param_type: 'string',
          gate_name: gate.id,
          pass_value: 'yes',
          fail_value: 'no',
        },
      ],
    });
    await go(page, `/param_stores/${store.id ?? store.name}/try`);
    await page.getByLabel('User ID').fill('u-1');
    await page.getByText('"open": "no"').waitFor();
    await page.getByText(`Held out by ${holdout.id}`).waitFor();
  });
});

testPage('evaluates a gate of the sample project', async () => {
  const page = await visit('/gates/one_page_checkout');
  await testUser(page);
  expect(await page.getByText('Passes: matched rule 2').isVisible()).toBe(true);
});
