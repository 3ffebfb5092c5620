import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useStay } from '../base/location.ts';
import { Button } from './button.tsx';

interface SheetProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  footer?: ComponentChildren;
  isKept?: boolean;
  onSubmit?: () => void;
}

const firstField = '.fields :is(input, select, textarea), [data-first]';

function useFocus() {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // Before the next key press, which may be meant for the dialog.
  useLayoutEffect(() => {
    const active = document.activeElement;
    // A button in a popover is hidden when it closes; focus the popover's own button later.
    const before = active?.closest('[popover]')?.previousElementSibling ?? active;
    const opened = dialog.current;
    opened?.showModal();
    const first = opened?.querySelector<HTMLElement>(firstField);
    (first ?? heading.current)?.focus();
    return () => {
      opened?.close(); // an open dialog would keep the focus
      const stays = before instanceof HTMLElement && before.isConnected && before !== document.body;
      (stays ? before : document.querySelector('main'))?.focus();
    };
  }, []);
  return { dialog, heading };
}

/** A modal dialog. With a footer, typed input is only discarded by its buttons, or by Escape after a confirmation. */
export function Sheet(props: SheetProps) {
  const { title, onClose, children, footer, isKept, onSubmit } = props;
  const { dialog, heading } = useFocus();
  const id = useId();
  const [isTyped, setTyped] = useState(false);
  useStay(isTyped, () => {});
  const leave = () => {
    const asks = isTyped && !isKept;
    if (!asks || confirm('Close? Your input will be lost.')) onClose();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      // Browsers close a dialog on the second Escape regardless of the handler: open it again.
      onClose={() => dialog.current?.showModal()}
      onInput={() => setTyped(footer !== undefined)}
      // Ignores the second press of the double click that opened the dialog.
      onMouseDown={({ target, detail, button }) =>
        target === dialog.current && detail === 1 && button === 0 && !isTyped && onClose()
      }
    >
      <form class="sheet-form" method="dialog" noValidate onSubmit={submit}>
        <header class="sheet-head">
          <h2 class="sheet-title" id={id} tabIndex={-1} ref={heading}>
            {title}
          </h2>
          <Button look="icon" icon="close" label="Close" onClick={onClose} />
        </header>
        <div class="sheet-body">{children}</div>
        {footer && <footer class="sheet-foot">{footer}</footer>}
      </form>
    </dialog>
  );
}
