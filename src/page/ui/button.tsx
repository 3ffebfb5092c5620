import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps {
  children?: ComponentChildren;
  look?: 'plain' | 'primary' | 'danger' | 'link' | 'icon';
  icon?: IconName;
  /** What it is called where only its icon shows. */
  label?: string;
  /** Why it cannot be pressed now: it keeps the focus and says so. */
  why?: string;
  type?: 'button' | 'submit';
  onClick?: (event: MouseEvent) => void;
  popovertarget?: string;
  /** What a press does with that popover: it opens or closes it where nothing is said. */
  popovertargetaction?: 'hide';
  /** Whether Ctrl and Enter press it too. */
  byKeys?: boolean;
}

/** A key that is held presses once: what it did moves something else, or the next step, to where the focus is. */
const pressOnce = (event: KeyboardEvent) =>
  event.repeat && event.key === 'Enter' && event.preventDefault();

export function Button(props: ButtonProps) {
  const { children, look = 'plain', icon, label, why, byKeys, onClick, ...attributes } = props;
  const press = (event: MouseEvent) => {
    if (why === undefined) return onClick?.(event);
    event.preventDefault();
  };
  return (
    <button
      type="button"
      {...attributes}
      class={`button button-${look}`}
      aria-label={label}
      aria-keyshortcuts={byKeys ? 'Control+Enter' : undefined}
      aria-disabled={why === undefined ? undefined : 'true'}
      title={why ?? (look === 'icon' ? label : undefined)}
      onClick={press}
      onKeyDown={pressOnce}
    >
      {icon && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}
