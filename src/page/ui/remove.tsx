import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';

interface RemoveProps {
  what: string;
  icon?: IconName;
  onRemove: () => void;
}

/** A remove button. It ignores the second press of a double click, which would remove the next item. */
export const Remove = ({ what, icon = 'trash', onRemove }: RemoveProps) => (
  <Button
    look="icon"
    icon={icon}
    label={`Remove ${what}`}
    onClick={({ detail }) => detail < 2 && onRemove()}
  />
);
