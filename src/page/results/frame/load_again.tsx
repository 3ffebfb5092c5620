import { useState } from 'preact/hooks';
import { call } from '../../base/api.ts';
import { problemOf } from '../../base/problems.ts';
import { whyNot } from '../../base/session.ts';
import { announceChange } from '../../base/use.ts';
import { Button } from '../../ui/button.tsx';
import { say } from '../../ui/toast.tsx';

/** A button that loads results at a path of the API. */
export function LoadAgain({ path }: { path: string }) {
  const [isLoading, setLoading] = useState(false);
  const load = async () => {
    setLoading(true);
    try {
      say((await call({ method: 'POST', path: `${path}/load_pulse`, body: {} })).message);
    } catch (error) {
      say(problemOf(error).message);
    }
    setLoading(false);
    announceChange();
  };
  return (
    <Button why={isLoading ? 'Loading …' : whyNot('write')} onClick={load}>
      Load again
    </Button>
  );
}
