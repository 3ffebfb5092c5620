import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps {
  children?: ComponentChildren;
  look?: 'plain' | 'primary' | 'danger' | 'link' | 'icon';
  icon?: IconName;
  label?: string;
  why?: string;
  type?: 'button' | 'submit';
  onClick?: (event: MouseEvent) => void;
  popovertarget?: string;
  popovertargetaction?: 'hide';
  byKeys?: boolean;
}

/** A held Enter key must not press the next button that gets the focus. */
const pressOnce = (event: KeyboardEvent) =>
  event.repeat && event.key === 'Enter' && event.preventDefault();

/** A button, which stays focusable when disabled. */
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
