import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface MenuProps {
  label: string;
  children: ComponentChildren;
}

/** What does not fit into the row: a popover with buttons, which closes by itself. */
export function Menu({ label, children }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  return (
    <div class="menu">
      <Button icon="more" label={label} popovertarget={id} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a press of any button in it closes it. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: buttons make a click of each key. */}
      <div
        class="menu-list"
        id={id}
        popover="auto"
        ref={list}
        onClick={() => list.current?.hidePopover()}
      >
        {children}
      </div>
    </div>
  );
}
