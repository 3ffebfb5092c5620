import { type Answer, get } from '../api.ts';
import { differences } from '../compare.ts';
import type { Revision } from '../types.ts';
import { Loading } from '../ui/loading.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { say } from '../ui/toast.tsx';
import { useGet } from '../use.ts';
import { useChange } from './check.ts';
import { Differences } from './differences.tsx';
import { type Kind, pathOf } from './kind.ts';
import { AsRequest, CheckedLine, Refused, SendButtons } from './send.tsx';

interface RestoreProps {
  kind: Kind;
  id: string;
  title: string;
  version: number;
  /** The version that there is; undefined where it was deleted. */
  current?: number;
  onClose: () => void;
}

type Version = Revision & { snapshot: Record<string, unknown> };

/** What an earlier version would change, and the button that makes it the current one. */
export function Restore({ kind, id, title, version, current, onClose }: RestoreProps) {
  const path = `${pathOf(kind, id)}/versions`;
  const then = useGet(`${path}/${version}`, () => get<Version>(`${path}/${version}`));
  const now = useGet(current === undefined ? '' : `${path}/${current}`, () =>
    get<Version>(`${path}/${current}`),
  );
  const request = { method: 'PUT' as const, path: `${path}/${version}/restore`, version: current };
  const { checked, isStoring, store, again } = useChange(request);
  const run = async () => {
    const answer = await store();
    if (!answer) return;
    say(answer.message);
    onClose();
  };
  const snapshotOf = (answer: Answer<Version> | undefined) => answer?.data.snapshot;
  const [before, after] = [
    current === undefined ? {} : snapshotOf(now.value),
    snapshotOf(then.value),
  ];
  const list = before && after && current !== undefined ? differences(before, after) : [];
  return (
    <Sheet
      title={`Restore version ${version} of ${title}?`}
      onClose={onClose}
      onSubmit={run}
      footer={
        <>
          <CheckedLine checked={checked} />
          <SendButtons
            checked={checked}
            isStoring={isStoring}
            label="Restore"
            onClose={onClose}
            onStore={run}
            onAgain={again}
          />
        </>
      }
    >
      {before && after ? (
        <>
          <p class="says">
            {current === undefined
              ? 'It comes back as it was in this version.'
              : list.length > 0
                ? 'It becomes the newest version; nothing of the history goes. This is what changes:'
                : 'Nothing changes by it: it is as it is now.'}
          </p>
          <Differences list={list} />
        </>
      ) : (
        <Loading lines={3} />
      )}
      <Refused checked={checked} />
      <AsRequest request={request} />
    </Sheet>
  );
}
