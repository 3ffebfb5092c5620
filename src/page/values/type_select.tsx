import { Select } from '../ui/select.tsx';
import { typeNamed, type ValueType } from './value_type.ts';
import { valueTypes } from './value_types.ts';

interface TypeSelectProps {
  name: string;
  type: ValueType;
  isLocked: boolean;
  onType: (type: ValueType) => void;
}

/** The type of a parameter, which can be chosen unless it is locked. */
export const TypeSelect = ({ name, type, isLocked, onType }: TypeSelectProps) =>
  isLocked ? (
    valueTypes[type]
  ) : (
    <Select
      aria-label={`Type of ${name}`}
      value={type}
      options={valueTypes}
      onChoose={(next) => onType(typeNamed(next))}
    />
  );
