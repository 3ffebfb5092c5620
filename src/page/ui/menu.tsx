import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from './button.tsx';

interface MenuProps {
  label: string;
  children: (id: string) => ComponentChildren;
}

/** A popover of buttons. */
export function Menu({ label, children }: MenuProps) {
  const id = useId();
  return (
    <div class="menu">
      <Button icon="more" label={label} popovertarget={id} />
      <div class="menu-list" id={id} popover="auto">
        {children(id)}
      </div>
    </div>
  );
}
