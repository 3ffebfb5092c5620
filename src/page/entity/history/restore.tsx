import type { Difference } from '../../base/compare_values.ts';
import type { Revision } from '../../base/types.ts';
import { useRead } from '../../base/use.ts';
import { say } from '../../ui/toast.tsx';
import { ReadStatus } from '../../ui/unread.tsx';
import { type KindPage, pathOf } from '../kind.ts';
import { ChangeSheet } from '../review/change_sheet.tsx';
import { useChange } from '../review/check.ts';
import { differences } from '../review/compare.ts';
import { Differences } from '../review/differences.tsx';

interface RestoreProps {
  kind: KindPage;
  id: string;
  title: string;
  version: number;
  current?: number;
  onClose: () => void;
}

type Version = Revision & { snapshot: Record<string, unknown> };

function useSnapshot(versions: string, version: number | undefined) {
  const path = version === undefined ? '' : `${versions}/${version}`;
  const { value, ...got } = useRead<Version>(path);
  return { ...got, snapshot: value?.data.snapshot };
}

/** The dialog that restores a version. */
export function Restore({ kind, id, title, version, current, onClose }: RestoreProps) {
  const path = `${pathOf(kind, id)}/versions`;
  const after = useSnapshot(path, version);
  const now = useSnapshot(path, current);
  const isGone = current === undefined;
  const isRead = after.snapshot && (isGone || now.snapshot);
  const got = after.problem ? after : now;
  const request = { method: 'PUT' as const, path: `${path}/${version}/restore`, version: current };
  const change = useChange(isRead && request);
  return (
    <ChangeSheet
      title={`Restore version ${version} of ${title}?`}
      request={request}
      change={change}
      label="Restore"
      asksWhy
      onStored={({ message }) => {
        say(message);
        onClose();
      }}
      onClose={onClose}
    >
      {isRead ? (
        <RestoreOutcome
          isGone={isGone}
          list={differences(now.snapshot ?? {}, after.snapshot ?? {})}
        />
      ) : (
        <ReadStatus {...got} lines={3} />
      )}
    </ChangeSheet>
  );
}

function RestoreOutcome({ isGone, list }: { isGone: boolean; list: Difference[] }) {
  if (isGone) return <p class="says">Restores this version.</p>;
  if (list.length === 0) return <p class="says">Same as the current version.</p>;
  return (
    <>
      <p class="says">Saves it as a new version:</p>
      <Differences list={list} />
    </>
  );
}
