import { useState } from 'preact/hooks';
import { randomID } from '../base/api.ts';
import { useEvent } from '../base/use.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface Toast {
  id: string;
  text: string;
  undo?: () => void;
}

const messages = new EventTarget();

class Message extends Event {
  readonly toast: Toast;

  constructor(toast: Toast) {
    super('say');
    this.toast = toast;
  }
}

/** Displays a message for 5 s, or for 15 s if it offers to undo a change. */
export const say = (text: string, undo?: () => void) => {
  messages.dispatchEvent(new Message({ id: randomID(), text, undo }));
};

export function Toasts() {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const remove = (id: string) => setToasts((others) => others.filter((other) => other.id !== id));
  useEvent(messages, 'say', (event) => {
    if (!(event instanceof Message)) return;
    const { toast } = event;
    setToasts((others) => [...others.slice(-2), toast]);
    setTimeout(() => remove(toast.id), toast.undo ? 15_000 : 5000);
  });
  return (
    <div class="toasts" role="status">
      {toasts.map(({ id, text, undo }) => (
        <p key={id} class="toast">
          <Icon name="check" />
          <span class="toast-words">{text}</span>
          {undo && (
            <Button
              look="link"
              onClick={() => {
                remove(id);
                undo();
              }}
            >
              Undo
            </Button>
          )}
        </p>
      ))}
    </div>
  );
}
