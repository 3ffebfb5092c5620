import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from './button.tsx';

interface MenuProps {
  label: string;
  /** Its buttons; each takes the id as its `popovertarget`, so that a press of it closes the menu. */
  children: (id: string) => ComponentChildren;
}

/** What does not fit into the row: a popover with buttons. */
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
