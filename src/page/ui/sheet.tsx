import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useStay } from '../location.ts';
import { Button } from './button.tsx';

interface SheetProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  footer?: ComponentChildren;
  /** Whether what is typed outlives the dialog: Escape does not ask then. */
  isKept?: boolean;
  /** What Enter in a field, or its button of the type submit, does. */
  onSubmit?: () => void;
}

/** What is typed first: of fields by their place, or what says so itself. */
const firstField = '.fields :is(input, select, textarea), [data-first]';

/** Opens a dialog, in which what is to be typed first has the focus, or else its title; then the focus goes back. */
function useFocus() {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // Before the next key comes, which may belong to it already.
  useLayoutEffect(() => {
    const active = document.activeElement;
    // What closes the popover that it stands in cannot have the focus again: the button of that has.
    const before = active?.closest('[popover]')?.previousElementSibling ?? active;
    const opened = dialog.current;
    opened?.showModal();
    const first = opened?.querySelector<HTMLElement>(firstField);
    (first ?? heading.current)?.focus();
    return () => {
      opened?.close(); // while it is open, nothing else takes the focus
      const stays = before instanceof HTMLElement && before.isConnected && before !== document.body;
      (stays ? before : document.querySelector('main'))?.focus();
    };
  }, []);
  return { dialog, heading };
}

/**
 * A dialog: its title takes the focus, Escape and the backdrop close it, and the focus goes back to where it was.
 * What was typed into one with buttons below is let go by those alone, and by Escape once that is confirmed.
 */
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
      // A second Escape closes it, whatever came of the first: it is open for as long as it is there.
      onClose={() => dialog.current?.showModal()}
      onInput={() => setTyped(footer !== undefined)}
      // The second press of a double click is that of whoever opened it.
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
