import { call } from '../../base/api.ts';
import { useGet } from '../../base/use.ts';
import { Code } from '../../ui/code.tsx';
import { Copy } from '../../ui/copy.tsx';
import { ReadStatus } from '../../ui/unread.tsx';
import { type KindPage, ownPathOf } from '../kind.ts';
import { AsRequest } from '../review/send.tsx';

function costInWords(cost: string): string {
  const of = (name: string, one: string) => {
    const [, size = '?'] = cost.match(new RegExp(`${name};desc="(\\d+)"`)) ?? [];
    return `${size}\u00a0${one}${size === '1' ? '' : 's'}`;
  };
  return `${of('trips', 'round trip')} to the database, ${of('rows_read', 'row')}\u00a0read`;
}

/** Displays the response of the API and its cost. */
export function AsJSON({ kind, id }: { kind: KindPage; id: string }) {
  const request = { method: 'GET' as const, path: ownPathOf(kind, id) };
  const { value, ...got } = useGet(`json ${request.path}`, () => call<object>(request));
  if (!value) return <ReadStatus {...got} />;
  const text = JSON.stringify(value.data, null, 2);
  return (
    <div class="as-json">
      <div class="row row-between">
        <p class="quiet">{costInWords(value.cost)}</p>
        <Copy text={text} label="Copy JSON" words="Copy" />
      </div>
      <Code text={text} tall />
      <AsRequest request={request} />
    </div>
  );
}
