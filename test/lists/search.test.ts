import { beforeAll, describe, expect, test } from 'vitest';
import { call, each, invalidPropertiesOf, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { fixtures, makeGate, makeKey, makePipeline, makeTrigger } from '../support/factories.ts';
import { shapeOf } from '../support/shapes.ts';

const search = (words: string) => new URLSearchParams({ search: words }).toString();

/** Returns the IDs of the gates found by some words and a further query. */
async function found(words: string, rest = ''): Promise<string[]> {
  const { data, body } = await call('GET', `gates?${search(words)}${rest}`);
  const ids = data.map(({ id }: { id: string }) => id);
  expect(body.pagination.totalItems, words).toBe(ids.length);
  return ids;
}

const lists = each(
  ({ method, parts }) =>
    method === 'GET' && parts.some(({ schema }) => 'search' in shapeOf(schema)),
);

describe('each list with a search', () => {
  beforeAll(emptyDatabase);

  test('sixteen resources have a search, metrics by two paths', () =>
    expect(lists).toHaveLength(17));

  test.each(lists)('%s is searched by ID, name and description', async (_, route) => {
    await fixtures(route);
    const { id = '' } = await fixtures(route);
    const listed = async (words: string) => {
      const { data, body } = await call('GET', `${route.path}?${search(words)}`);
      expect(body.pagination.totalItems).toBe(data.length);
      return data.map((one: Record<string, string>) => one.id ?? one.name);
    };
    const all: Record<string, string>[] = await ok('GET', route.path);
    const isIt = (one: Record<string, string>) => Object.values(one).some((value) => value === id);
    const it = all.find(isIt) ?? all[0] ?? {};
    const own = it.id ?? it.name ?? it.source_name ?? '';
    const ids = await listed(own);
    if ('id' in it || 'name' in it) expect(ids).toContain(own);
    else expect(ids).toHaveLength(1);
    for (const text of [it.name, it.description].filter((each) => each))
      expect(await listed(text ?? '')).toContain(own);
    expect(await listed('nowhere')).toEqual([]);
    expect(await listed(`${own} nowhere`)).toEqual([]);
  });
});

const cases: [words: string, ids: string[]][] = [
  ['checkout', ['new_checkout', 'old.checkout', 'chinese']],
  ['CHECK', ['new_checkout', 'old.checkout', 'chinese']],
  ['c', ['new_checkout', 'old.checkout', 'creme', 'plain-creme', 'cyrillic', 'quoted', 'chinese']],
  ['new check', ['new_checkout']],
  ['check new', ['new_checkout']],
  ['new_check', ['new_checkout']],
  ['one page web', ['new_checkout']],
  ['heckout', []],
  ['new kasse', []],
  ['kasse alt', ['old.checkout']],
  ['gross', []],
  ['große', ['old.checkout']],
  ['groß', ['old.checkout']],
  ['beta 2', ['old.checkout']],
  ['beta-2', ['old.checkout']],
  ['creme brulee', ['creme', 'plain-creme']],
  ['CRÈME BRÛLÉE', ['creme', 'plain-creme']],
  ['Cre\u0300me bru\u0302le\u0301e', ['creme', 'plain-creme']],
  ['ångstrom', ['creme']],
  ['ca va', ['creme']],
  ['zwolf boxkampfer', ['plain-creme']],
  ['202', ['plain-creme']],
  ['корзина', ['cyrillic']],
  ['КОРЗ', ['cyrillic']],
  ['日本', ['cyrillic']],
  ['हिन्दी', ['cyrillic']],
  ['ΕΛΛΗΝΙΚΆ', ['cyrillic']],
  ['hello', ['quoted']],
  ['"hello" go', ['quoted']],
  ['🎈 fun', ['quoted']],
  ['  new \n check  ', ['new_checkout']],
  ['gate', []],
  ['tags', []],
  ['description', []],
];

const parts: [words: string, ids: string[]][] = [
  ['结账', ['chinese']],
  ['账', ['chinese']],
  ['账结', []],
  ['新账', []],
  ['新 流程', ['chinese']],
  ['流程 checkout', ['chinese']],
  ['结账checkout', ['chinese']],
  ['结账Check', ['chinese']],
  ['heckout流', []],
  ['𠮷', ['chinese']],
  ['野家', ['chinese']],
  ['移动', ['chinese']],
  ['テスト', ['cyrillic']],
  ['本語', ['cyrillic']],
  ['イン', ['nihongo']],
  ['キャンペーン', ['nihongo']],
  ['キャンペーン'.normalize('NFD'), ['nihongo']],
  ['ﾍﾟｰﾝ', ['nihongo']],
  ['ペーン88', ['nihongo']],
  ['ヘーン', []],
  ['결제', ['korean']],
  ['화면', ['korean']],
  ['운', ['korean']],
  ['국어', ['korean_parts']],
  ['국어'.normalize('NFD'), ['korean_parts']],
  ['ชำระ', ['thai']],
  ['เงิน', ['thai']],
  ['🎈', ['quoted']],
  ['🚀', ['rocket']],
  ['launch🚀', ['rocket']],
  ['🚀da', ['rocket']],
  ['launch day', ['rocket']],
  ['💻', ['rocket']],
  ['👩', ['rocket']],
  ['👩‍💻', ['rocket']],
  ['👩🏽‍💻', ['rocket']],
  ['💻👩', []],
  ['👩🏿', ['rocket']],
  ['👍', ['rocket']],
  ['❤', ['rocket']],
  ['❤️', ['rocket']],
  ['🇩🇪', ['flags']],
  ['🇺🇸', ['flags']],
  ['🇪🇺', []],
  ['🇩🇪🇺🇸', ['flags']],
  ['1f680', []],
  ['\u{ff680}', []],
];

const syntax: [words: string, ids: string[]][] = [
  ['AND', ['quoted']],
  ['checkout AND new', []],
  ['checkout OR creme', []],
  ['checkout NOT new', []],
  ['NOT', ['other']],
  ['NEAR(c d)', ['quoted']],
  ['NEAR', ['quoted']],
  ['name:x', ['quoted']],
  ['name:checkout', []],
  ['{id name} : checkout', []],
  ['- {id} : checkout', []],
  ['-checkout', ['new_checkout', 'old.checkout', 'chinese']],
  ['^new', ['new_checkout']],
  ['new + checkout', ['new_checkout']],
  ['check*', ['new_checkout', 'old.checkout', 'chinese']],
  ['*', []],
  ['"', []],
  ['"""', []],
  ["'", []],
  ['" OR "" : *', []],
  ['"check', ['new_checkout', 'old.checkout', 'chinese']],
  ['che"ckout', []],
  ["checkout'; drop table gates; --", []],
  ['((((', []],
  [')', []],
  ['checkout)', ['new_checkout', 'old.checkout', 'chinese']],
  ['%', []],
  ['_', []],
  ['\\', []],
  ['?1', []],
  ['🎉', []],
  ['👩‍👩‍👧 \u0301 \u200d', []],
  ['\u0000new\u0000', ['new_checkout']],
  ['!?#&=+/:;,.<>[]{}|~`^$@', []],
  ['x'.repeat(200), []],
  ['j '.repeat(100), []],
  ['new '.repeat(50), ['new_checkout']],
  ['" '.repeat(100), []],
  ['("'.repeat(100), []],
];

describe('a search of gates', () => {
  beforeAll(async () => {
    await emptyDatabase();
    const gates = [
      {
        id: 'new_checkout',
        name: 'New checkout',
        description: 'The one-page Checkout.',
        tags: ['web'],
      },
      { id: 'old.checkout', name: 'Kasse (alt)', description: '', tags: ['Größe L', 'beta-2'] },
      { id: 'creme', name: 'Crème brûlée', description: 'Ça va? ÅNGSTRÖM', tags: [] },
      { id: 'plain-creme', name: 'Creme brulee', description: 'zwölf Boxkämpfer', tags: ['2026'] },
      { id: 'cyrillic', name: 'Корзина', description: '日本語テスト हिन्दी', tags: ['ελληνικά'] },
      {
        id: 'quoted',
        name: 'Say "hello" AND go',
        description: 'a*b NEAR(c d) name:x',
        tags: ['🎈 fun'],
      },
      { id: 'chinese', name: '新结账Checkout流程', description: '𠮷野家', tags: ['支付，移动'] },
      { id: 'nihongo', name: 'ログインキャンペーン8864', description: '', tags: ['ｷｬﾝﾍﾟｰﾝ'] },
      { id: 'korean', name: '새로운 결제화면', description: '', tags: [] },
      { id: 'korean_parts', name: '한국어'.normalize('NFD'), description: '', tags: [] },
      { id: 'thai', name: 'หน้าชำระเงิน', description: '', tags: [] },
      { id: 'rocket', name: 'Launch🚀day', description: '👩🏽‍💻 at work', tags: ['❤️', '👍🏽'] },
      { id: 'flags', name: '🇩🇪🇺🇸 rollout', description: '', tags: [] },
    ];
    for (const gate of gates) await makeGate(gate);
    await makeGate({ id: 'other', name: 'Nothing of it', description: 'Else.' });
  });

  test.each(parts)(
    'a search for %j finds any part of text without blanks, and emoji',
    async (words, ids) => {
      expect((await found(words)).sort()).toEqual(ids.toSorted());
    },
  );

  test.each(cases)('a search for %j finds words by their beginning', async (words, ids) => {
    expect((await found(words)).sort()).toEqual(ids.toSorted());
  });

  test.each(syntax)('a search for %j treats syntax as words', async (words, ids) => {
    expect((await found(words)).sort()).toEqual(ids.toSorted());
    expect(await found(words, '&includeArchived=true&tags=none')).toEqual([]);
    expect(await found(words, '&sortKey=name&limit=1000')).toHaveLength(ids.length);
  });

  test('a search for blanks lists all gates, and one over 200 characters is 400', async () => {
    const all = await ok('GET', 'gates');
    for (const blank of ['', ' ', '\t\n'])
      expect(await ok('GET', `gates?${search(blank)}`)).toEqual(all);
    const long = await call('GET', `gates?${search('x'.repeat(201))}`);
    expect([long.status, long.body.errors[0].property]).toEqual([400, 'search']);
  });
});

describe('a search', () => {
  beforeAll(emptyDatabase);

  test('a search finds the current words of an entity after each change', async () => {
    const id = 'followed';
    const steps: [
      method: string,
      path: string,
      body: object | undefined,
      words: string,
      gone: string[],
    ][] = [
      [
        'POST',
        'gates',
        { id, name: 'Alpha', description: 'Beta', tags: ['gamma'] },
        'alpha beta gamma',
        [],
      ],
      ['PATCH', `gates/${id}`, { name: 'Delta' }, 'delta beta gamma', ['alpha']],
      ['PATCH', `gates/${id}`, { description: 'Epsilon' }, 'delta epsilon gamma', ['beta']],
      ['PATCH', `gates/${id}`, { tags: ['zeta', 'eta'] }, 'delta epsilon zeta eta', ['gamma']],
      ['PATCH', `gates/${id}`, { tags: [] }, 'delta epsilon', ['zeta', 'eta']],
      ['PUT', `gates/${id}/disable`, undefined, 'delta', []],
      [
        'PUT',
        `gates/${id}/versions/1/restore`,
        undefined,
        'alpha beta gamma',
        ['delta', 'epsilon'],
      ],
    ];
    for (const [method, path, body, words, gone] of steps) {
      await ok(method, path, body);
      expect(await found(words), words).toEqual([id]);
      for (const word of gone) expect(await found(word), word).toEqual([]);
    }
    await ok('PUT', `gates/${id}/archive`);
    expect(await found('alpha')).toEqual([]);
    expect(await found('alpha', '&includeArchived=true')).toEqual([id]);
    expect(await found('alpha', '&status=Archived')).toEqual([id]);
    await ok('PUT', `gates/${id}/unarchive`);
    expect(await found('alpha')).toEqual([id]);
    await ok('DELETE', `gates/${id}`);
    for (const all of ['', '&includeArchived=true']) expect(await found('alpha', all)).toEqual([]);
    await ok('PUT', `gates/${id}/versions/2/restore`);
    expect(await found('delta')).toEqual([id]);
    await ok('DELETE', `gates/${id}`);
    await ok('POST', 'gates', { id, name: 'Omega' });
    expect([await found('omega'), await found('delta')]).toEqual([[id], []]);
  });

  test('a search finds the last state of many changes of one entity', async () => {
    const at = '/console/v1/gates';
    const changes = [
      { method: 'POST', path: at, body: { id: 'batched', name: 'Primus' } },
      { method: 'PATCH', path: `${at}/batched`, body: { name: 'Secundus' } },
      { method: 'PATCH', path: `${at}/batched`, body: { name: 'Tertius' } },
      { method: 'POST', path: at, body: { id: 'never_there', name: 'Primus' } },
      { method: 'DELETE', path: `${at}/never_there` },
    ];
    await ok('POST', 'changes', { changes });
    expect(await found('primus')).toEqual([]);
    expect(await found('secundus')).toEqual([]);
    expect(await found('tertius')).toEqual(['batched']);
    await call('PATCH', 'gates/batched?dryRun=true', { body: { name: 'Quartus' } });
    expect(await found('quartus')).toEqual([]);
  });

  test('a search combines with filters and sorting', async () => {
    for (const { id, name, tags } of [
      { id: 'sorted_one', name: 'Zebra common', tags: ['a'] },
      { id: 'sorted_two', name: 'apple common', tags: ['a', 'b'] },
      { id: 'sorted_three', name: 'Mango common', tags: ['b'] },
      { id: 'sorted_four', name: 'banana rare', tags: ['a'] },
    ])
      await makeGate({ id, name, tags });
    await ok('PUT', 'gates/sorted_one/disable');
    const ids = (...names: string[]) => names.map((name) => `sorted_${name}`);
    expect(await found('common')).toEqual(ids('three', 'two', 'one'));
    expect(await found('common', '&sortKey=name')).toEqual(ids('two', 'three', 'one'));
    expect(await found('common', '&sortKey=name&sortOrder=desc')).toEqual(
      ids('one', 'three', 'two'),
    );
    expect(await found('common', '&sortKey=lastModifiedTime')).toEqual(ids('one', 'three', 'two'));
    expect(await found('common', '&tags=a')).toEqual(ids('two', 'one'));
    expect(await found('common', '&tags=a&tags=b&sortOrder=asc')).toEqual(
      ids('one', 'two', 'three'),
    );
    expect(await found('common', '&status=Disabled')).toEqual(ids('one'));
    expect(await found('common', '&status=Disabled&tags=b')).toEqual([]);
    expect(await found('common', '&createdEndDate=2020-01-01')).toEqual([]);
    const days = 'createdStartDate=2026-01-02&createdEndDate=2026-01-01';
    for (const path of ['gates', 'experiments', 'keys', 'metrics'])
      expect(await invalidPropertiesOf('GET', `${path}?${days}`, undefined), path).toEqual([
        'createdEndDate',
      ]);
    expect(await found('sorted', '&tags=a&status=In+Progress&type=PERMANENT')).toEqual(
      ids('four', 'two'),
    );
  });

  test('a search finds only its own resource type, even if names of types are alike', async () => {
    const { id } = await makePipeline({ name: 'Shared word' });
    const { id: gateID } = await makeGate({ name: 'Shared word, too' });
    const given = { releasePipelineID: id, gateID, description: 'Shared word again' };
    const trigger = await makeTrigger(given);
    const ids = async (path: string) =>
      (await ok('GET', `${path}?search=shared`)).map((one: { id: string }) => one.id);
    expect(await ids('release_pipelines')).toEqual([id]);
    expect(await ids('release_pipeline_triggers')).toEqual([trigger.id]);
    expect(await ids('gates')).toEqual([gateID]);
    expect(await ids('experiments')).toEqual([]);
  });

  test('a search never finds a key by its secrets', async () => {
    const { id, key } = await makeKey({ name: 'Sought key' });
    const ids = async (words: string) =>
      (await ok('GET', `keys?${search(words)}`)).map((one: { id: string }) => one.id);
    expect(await ids('sought')).toEqual([id]);
    for (const secret of [key, key.replace('console-', ''), 'console', 'read'])
      expect(await ids(secret)).toEqual([]);
  });
});
