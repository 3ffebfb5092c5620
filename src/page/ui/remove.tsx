import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';

interface RemoveProps {
  what: string;
  icon?: IconName;
  onRemove: () => void;
}

/** Takes something out of a list. The second press of a double one is that of nobody: another stands there then. */
export const Remove = ({ what, icon = 'trash', onRemove }: RemoveProps) => (
  <Button
    look="icon"
    icon={icon}
    label={`Remove ${what}`}
    onClick={({ detail }) => detail < 2 && onRemove()}
  />
);
