import { env } from 'cloudflare:workers';
import { test } from 'vitest';
import { gates } from '../../src/resources/gates/table.ts';
import { call, costOf, ok } from '../support/client.ts';
import { multiply } from '../support/seed.ts';

const models = 20;
for (const copies of [4, 999])
  test(`measure ${copies}`, { timeout: 300_000 }, async () => {
    const { emptyDatabase } = await import('../support/client.ts');
    await emptyDatabase();
    for (let i = 0; i < models; i++) {
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
    const t = Date.now();
    await multiply(gates, copies);
    console.log('seed ms', Date.now() - t);
    const rareOnes = ['rare_one', 'rare_two', 'rare_three'];
    for (const id of rareOnes)
      await ok('POST', 'gates', { id, name: `Zanzibar ${id}`, tags: ['rare', 'all'] });
    for (let i = 0; i < 3; i++) await ok('PUT', `gates/m${i}x_1/archive`);
    const show = async (path: string) => {
      const t0 = performance.now();
      const a = await call('GET', path);
      const { read } = costOf(a);
      console.log(
        `${String(read).padStart(7)}  ${a.status} n=${a.data?.length} total=${a.body.pagination?.totalItems} ${(performance.now() - t0).toFixed(0)}ms  ${path}`,
      );
      return a;
    };
    await show('gates/m0x');
    const next = async (path: string) => {
      const a = await show(path);
      if (a.body?.pagination?.nextPage) await show(a.body.pagination.nextPage);
    };
    for (const limit of [10, 100]) {
      const l = `limit=${limit}`;
      for (const q of [
        '',
        'status=In+Progress',
        'status=Disabled',
        'status=Archived',
        'status=Launched',
        'status=Disabled&status=Archived',
        'tags=rare',
        'tags=twentieth',
        'tags=half',
        'tags=all',
        'tags=none',
        'tags=rare&tags=twentieth',
        'tags=half&tags=all',
        'type=TEMPORARY',
        'idType=userID',
        'teamID=t1',
        'targetAppID=web',
        'creatorID=root',
        'creatorName=CONSOLE+API',
        'search=zanzibar',
        'search=odd',
        'sortKey=name',
        'sortKey=name&sortOrder=desc',
        'sortKey=lastModifiedTime',
        'sortOrder=asc',
        'includeArchived=true',
        'includeArchived=true&sortKey=name',
        'includeArchived=true&tags=half',
        'status=Disabled&sortKey=name',
        'tags=half&sortKey=name',
        'tags=half&sortKey=lastModifiedTime',
        'createdStartDate=2020-01-01',
        'createdEndDate=2020-01-01',
        'tags=rare&status=In+Progress',
        'tags=half&status=In+Progress',
        'tags=half&type=TEMPORARY&idType=userID',
        'tags=rare&targetAppID=web',
        'tags=half&targetAppID=web',
        'search=zanzibar&tags=all',
        'tags=all&search=zanzibar&status=In+Progress',
        'search=odd&tags=rare',
        'tags=rare&tags=none&status=In+Progress',
        'tags=rare&status=In+Progress&type=PERMANENT&idType=userID&creatorID=root',
        'tags=twentieth&status=In+Progress&type=TEMPORARY&idType=userID&creatorID=root&creatorName=CONSOLE+API&teamID=t1',
      ])
        await next(`gates?${q}&${l}`);
      for (const q of [
        '',
        'kind=gate',
        'id=m0x',
        'kind=gate&id=m0x',
        'actionType=create',
        'updatedBy=root',
        'actionType=archive',
        'startDate=2020-01-01',
        'endDate=2020-01-01',
        'kind=gate&actionType=create',
      ])
        await next(`audit_logs?${q}&${l}`);
    }
    await show('gates/m0x_1/versions?limit=10');
    await show('gates/m0x_1/gate_references?limit=10');
    const change = async (what: string, method: string, path: string, body?: unknown) => {
      const a = await call(method, path, { body });
      const { read, written } = costOf(a);
      console.log(`${what.padEnd(20)} ${a.status} read ${read} written ${written}`);
    };
    await change('create', 'POST', 'gates', { name: 'A new one' });
    await change('create tags', 'POST', 'gates', { name: 'A new two', tags: ['a'] });
    await change('create 3 tags', 'POST', 'gates', {
      name: 'A new three',
      tags: ['a', 'b', 'c'],
      description: 'Some words in a description that is longer',
    });
    await change('desc', 'PATCH', 'gates/a_new_one', { description: 'New.' });
    await change('desc seeded', 'PATCH', 'gates/m2x_1', { description: 'New.' });
    await change('desc again', 'PATCH', 'gates/a_new_one', { description: 'New again.' });
    await change('tag', 'PATCH', 'gates/a_new_one', { tags: ['a'] });
    await change('tag other', 'PATCH', 'gates/a_new_one', { tags: ['b'] });
    await change('disable', 'PUT', 'gates/a_new_one/disable');
    await change('enable', 'PUT', 'gates/a_new_one/enable');
    await change('archive', 'PUT', 'gates/a_new_one/archive');
    await change('unarchive', 'PUT', 'gates/a_new_one/unarchive');
    await change('archive seeded', 'PUT', 'gates/m9x_1/archive');
    await change('delete', 'DELETE', 'gates/a_new_one');
    await change('restore', 'PUT', 'gates/a_new_one/versions/1/restore');
    void env;
  });
