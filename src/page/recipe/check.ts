import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, type Call, call } from '../api.ts';
import { isUnknown, type Problem, problemOf } from '../problems.ts';
import { announceChange, useAnnounced } from '../use.ts';

/** What an error says; where somebody was quicker, all that is shown is read anew, so that it starts from theirs. */
function explained(error: unknown): Problem {
  const problem = problemOf(error);
  if (problem.status === 412) announceChange();
  return problem;
}

/** How a change stands with the server: only what is refused has a problem. */
export type Checked =
  | { is: 'waiting' | 'asking'; problem?: undefined }
  | { is: 'accepted'; problem?: undefined; answer: Answer<unknown> }
  | {
      is: 'refused';
      problem: Problem;
      /** What comes next where nobody knows whether it was stored: the same once more, or else the question. */
      next?: () => void;
    };

/** What the server says of each property of a change. */
export const errorsOf = (checked: Checked): Map<string, string> =>
  new Map(checked.problem?.errors.map(({ property, errorMessage }) => [property, errorMessage]));

/** Asks the server what a request would do; anew when it is another one, and when somebody is signed in again. */
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
          (error) => isCurrent && setChecked({ is: 'refused', problem: explained(error), name }),
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

/**
 * Sends what was accepted, one at a time, and the same again where nobody knows whether it was stored.
 * @param name of what is asked about, where the answer is shown
 */
function useSending(
  name: string,
  setChecked: ReturnType<typeof useAnswer>['setChecked'],
  again: () => void,
) {
  const [isStoring, setStoring] = useState(false);
  const storing = useRef(false);
  /** What was sent, of which nobody knows whether it was stored. */
  const [lost] = useState(() => new Set<Call>());
  async function send(sent: Call, onStored: (answer: Answer<unknown>) => void): Promise<void> {
    if (storing.current) return;
    storing.current = true;
    setStoring(true);
    try {
      onStored(await call<unknown>(sent));
      announceChange();
    } catch (error) {
      const problem = explained(error);
      lost[isUnknown(problem) ? 'add' : 'delete'](sent);
      const next = lost.has(sent) && sent.once ? () => send(sent, onStored) : again;
      // Where another is asked about meanwhile, its answer stands.
      setChecked((now) => (now.name === name ? { is: 'refused', problem, next, name } : now));
    } finally {
      storing.current = false;
      setStoring(false);
    }
  }
  return { send, isStoring, isLost: lost.size > 0 };
}

/**
 * Asks the server what a change would do, and then has it done: the same request both times.
 * @param request undefined while something is missing for it
 */
export function useChange(request: Call | undefined) {
  const name = request ? JSON.stringify(request) : '';
  const { checked, setChecked, again } = useAnswer(request, name);
  const { send, isStoring, isLost } = useSending(name, setChecked, again);
  const isMoved = useRef(false);
  if (checked.problem?.status === 412) isMoved.current = true;
  const state: Checked = checked.name === name ? checked : { is: request ? 'asking' : 'waiting' };
  /** Has it done, with a note for the history; where it is done, what follows comes before all is read anew. */
  async function store(note: string, onStored: (answer: Answer<unknown>) => void): Promise<void> {
    if (request && state.is === 'accepted') await send({ ...request, note }, onStored);
  }
  return {
    checked: state,
    /** Whether something was sent, of which nobody knows whether it was stored. */
    isLost,
    /** Whether it is accepted of another state than it was asked of at first. */
    isMoved: isMoved.current && state.is === 'accepted',
    isStoring,
    store,
    again: ('next' in state && state.next) || again,
  };
}
