import { useState } from 'preact/hooks';
import { randomID } from '../api.ts';
import { useEvent } from '../use.ts';
import { Icon } from './icon.tsx';

const messages = new EventTarget();

/** Displays a message for 5 s. */
export const say = (text: string) =>
  messages.dispatchEvent(new CustomEvent('say', { detail: text }));

/** The area of the messages. */
export function Toasts() {
  const [texts, setTexts] = useState<{ id: string; text: string }[]>([]);
  useEvent(messages, 'say', (event) => {
    if (!(event instanceof CustomEvent)) return;
    const id = randomID();
    setTexts((others) => [...others.slice(-2), { id, text: String(event.detail) }]);
    setTimeout(() => setTexts((others) => others.filter((other) => other.id !== id)), 5000);
  });
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
