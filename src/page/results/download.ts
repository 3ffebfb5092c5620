import { problemOf } from '../problems.ts';
import { say } from '../ui/toast.tsx';

/** Downloads a response of the API as CSV. */
export async function download(path: string, name: string): Promise<void> {
  try {
    const response = await fetch(`/console/v1${path}`, { headers: { Accept: 'text/csv' } });
    if (!response.ok) throw new Error(`The server responded with ${response.status}.`);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = `${name}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    say(problemOf(error).message);
  }
}
