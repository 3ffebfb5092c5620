import { actionInWords, addressOf, kindInWords } from '../base/history_words.ts';
import type { Gate, Revision } from '../base/types.ts';
import { count, titleOf } from '../base/words.ts';
import { staleWords } from '../kinds/gates.tsx';
import { Time } from '../ui/time.tsx';
import { Box } from './box.tsx';

const LatestChange = ({ revisions }: { revisions: Revision[] }) => {
  const [first] = revisions;
  if (!first) return null;
  const { actorName, action, kind, id, name, time } = first;
  return (
    <li class="brief">
      <span>
        <strong>{actorName}</strong>
        {` ${actionInWords(action)} ${kindInWords(kind)} `}
        <a href={addressOf(kind, id)}>{name || id}</a>
        {revisions.length > 1 && ` and ${count(revisions.length - 1, 'other')}`}
      </span>
      <span class="quiet">
        <Time at={time} />
      </span>
    </li>
  );
};

const maxChanges = 8;

/** The last changes, one line for each request. */
export const Latest = ({ changes }: { changes: Revision[] }) => (
  <Box title="Latest changes" side={<a href="/audit_logs">Audit log</a>}>
    <ul class="briefs">
      {[...Map.groupBy(changes, ({ requestID }) => requestID)]
        .slice(0, maxChanges)
        .map(([id, revisions]) => (
          <LatestChange key={id} revisions={revisions} />
        ))}
    </ul>
  </Box>
);

/** Stale gates, each with its reason. */
export const CleanUp = ({ gates, total }: { gates: Gate[]; total: number }) => (
  <Box
    title="Flags to clean up"
    note={total}
    side={total > gates.length && <a href="/gates?stale=true">{`All ${count(total, 'gate')}`}</a>}
  >
    {gates.length === 0 && <p class="box-none">No stale gates.</p>}
    <ul class="briefs">
      {gates.map((gate) => (
        <li key={gate.id} class="brief">
          <a href={addressOf('gate', gate.id)}>{titleOf(gate)}</a>
          <span class="quiet">{staleWords[gate.typeReason].replace('stale: ', '')}</span>
        </li>
      ))}
    </ul>
  </Box>
);
