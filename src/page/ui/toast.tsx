import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

const said = new EventTarget();

/** Says something that needs no answer. */
export const say = (text: string) => said.dispatchEvent(new CustomEvent('say', { detail: text }));

/** Where it is said: politely, and for a while. */
export function Toasts() {
  const [texts, setTexts] = useState<{ id: number; text: string }[]>([]);
  useEffect(() => {
    let count = 0;
    const show = (event: Event) => {
      if (!(event instanceof CustomEvent)) return;
      count += 1;
      const id = count;
      setTexts((others) => [...others.slice(-2), { id, text: String(event.detail) }]);
      setTimeout(() => setTexts((others) => others.filter((other) => other.id !== id)), 5000);
    };
    said.addEventListener('say', show);
    return () => said.removeEventListener('say', show);
  }, []);
  return (
    <div class="toasts" role="status">
      {texts.map(({ id, text }) => (
        <p key={id} class="toast">
          <Icon name="check" /> {text}
        </p>
      ))}
    </div>
  );
}
