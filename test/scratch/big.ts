import { gates } from '../../src/resources/gates/table.ts';
import { ok } from '../support/client.ts';
import { multiply } from '../support/seed.ts';
export async function big(copies: number) {
  for (let i = 0; i < 20; i++) {
    const id = `m${i}`.padEnd(3, 'x');
    await ok('POST', 'gates', {
      id,
      name: `Model ${i}`,
      description: i % 2 ? 'odd words' : 'even words',
      tags: ['all', ...(i % 2 ? ['half'] : []), ...(i === 3 ? ['twentieth'] : [])],
      type: i % 3 ? 'PERMANENT' : 'TEMPORARY',
      idType: ['userID', 'companyID', 'stableID'][i % 3],
      teamID: i % 4 ? 't1' : null,
      targetApps: i % 5 ? [] : ['web'],
      isEnabled: i % 4 !== 1,
    });
  }
  await multiply(gates, copies);
  for (const id of ['rare_one', 'rare_two', 'rare_three'])
    await ok('POST', 'gates', { id, name: `Zanzibar ${id}`, tags: ['rare', 'all'] });
  for (let i = 0; i < 3; i++) await ok('PUT', `gates/m${i}x_1/archive`);
}
