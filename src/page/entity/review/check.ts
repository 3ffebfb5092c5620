import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, type Call, call } from '../../base/api.ts';
import { isUnknown, type Problem, problemOf } from '../../base/problems.ts';
import { announceChange, useAnnounced } from '../../base/use.ts';

/** A 412 reloads the page's data, so that the next attempt starts from the newest version. */
function readProblem(error: unknown): Problem {
  const problem = problemOf(error);
  if (problem.status === 412) announceChange();
  return problem;
}

export type Checked =
  | { is: 'waiting' | 'asking'; problem?: undefined }
  | { is: 'accepted'; problem?: undefined; answer: Answer<unknown> }
  | {
      is: 'refused';
      problem: Problem;
      next?: () => void;
    };

/** Returns the error messages by property. */
export const errorsOf = (checked: Checked): Map<string, string> =>
  new Map(checked.problem?.errors.map(({ property, errorMessage }) => [property, errorMessage]));

function useAnswer(request: Call | undefined, name: string) {
  const [checked, setChecked] = useState<Checked & { name?: string }>({ is: 'waiting' });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!request) return;
    let isCurrent = true;
    setChecked({ is: 'asking' });
    const timer = setTimeout(
      () =>
        call<unknown>(request, true).then(
          (answer) => isCurrent && setChecked({ is: 'accepted', answer, name }),
          (error) => isCurrent && setChecked({ is: 'refused', problem: readProblem(error), name }),
        ),
      turn === 0 && checked.is === 'waiting' ? 0 : 250,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [name, turn]);
  const again = () => setTurn((before) => before + 1);
  const isSignedOut = checked.problem?.status === 401;
  useAnnounced(() => isSignedOut && again());
  return { checked, setChecked, again };
}

/** Sends one request at a time. A request with an unknown outcome is sent again unchanged. */
function useSending(
  name: string,
  setChecked: ReturnType<typeof useAnswer>['setChecked'],
  again: () => void,
) {
  const [isStoring, setStoring] = useState(false);
  const storing = useRef(false);
  const [lost] = useState(() => new Set<Call>());
  async function send(sent: Call, onStored: (answer: Answer<unknown>) => void): Promise<void> {
    if (storing.current) return;
    storing.current = true;
    setStoring(true);
    try {
      onStored(await call<unknown>(sent));
      announceChange();
    } catch (error) {
      const problem = readProblem(error);
      lost[isUnknown(problem) ? 'add' : 'delete'](sent);
      const next = lost.has(sent) && sent.once ? () => send(sent, onStored) : again;
      setChecked((now) => (now.name === name ? { is: 'refused', problem, next, name } : now));
    } finally {
      storing.current = false;
      setStoring(false);
    }
  }
  return { send, isStoring, isLost: lost.size > 0 };
}

/** Dry-runs a change, then saves it with the same request. Pass undefined while a required field is empty. */
export function useChange(request: Call | undefined) {
  const name = request ? JSON.stringify(request) : '';
  const { checked, setChecked, again } = useAnswer(request, name);
  const { send, isStoring, isLost } = useSending(name, setChecked, again);
  const isMoved = useRef(false);
  if (checked.problem?.status === 412) isMoved.current = true;
  const state: Checked = checked.name === name ? checked : { is: request ? 'asking' : 'waiting' };
  async function store(note: string, onStored: (answer: Answer<unknown>) => void): Promise<void> {
    if (request && state.is === 'accepted') await send({ ...request, note }, onStored);
  }
  return {
    checked: state,
    isLost,
    isMoved: isMoved.current && state.is === 'accepted',
    isStoring,
    store,
    again: ('next' in state && state.next) || again,
  };
}
