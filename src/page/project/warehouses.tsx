import { useState } from 'preact/hooks';
import { secretFields } from '../../data/connections/secret_fields.ts';
import { whyNot } from '../base/session.ts';
import { nameOf } from '../base/words.ts';
import { Button } from '../ui/button.tsx';
import { Status } from '../ui/status.tsx';
import { type Connection, type SectionName, SectionSheet } from './warehouse_sheet.tsx';

const names: SectionName[] = ['athena', 'bigquery', 'databricks', 'redshift', 'snowflake'];

const propertiesSet = (connection: Connection, name: SectionName) =>
  Object.entries(connection[name] ?? {}).filter(([, value]) => value !== '');

interface WarehouseSectionProps {
  name: SectionName;
  set: [property: string, value: unknown][];
  onOpen: () => void;
}

function WarehouseSection({ name, set, onOpen }: WarehouseSectionProps) {
  const isSet = set.length > 0;
  return (
    <li class="card">
      <div class="card-head">
        <h3 class="card-title">{nameOf(name)}</h3>
        <Button why={whyNot('admin')} onClick={onOpen}>
          {isSet ? 'Change …' : 'Connect …'}
        </Button>
      </div>
      <Status tone={isSet ? 'done' : 'idle'} word={isSet ? 'Set' : 'Not set'} />
      {isSet && (
        <dl class="facts">
          {set.map(([property, value]) => (
            <div key={property} class="fact">
              <dt class="fact-name">{nameOf(property)}</dt>
              <dd>{secretFields.has(property) ? 'hidden' : String(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

/** Lists the warehouses, connected ones first. */
export function Warehouses({ connection }: { connection: Connection }) {
  const [open, setOpen] = useState<SectionName>();
  const isSet = (name: SectionName) => propertiesSet(connection, name).length > 0;
  const setFirst = names.toSorted((a, b) => Number(isSet(b)) - Number(isSet(a)));
  return (
    <>
      <ul class="cards">
        {setFirst.map((name) => (
          <WarehouseSection
            key={name}
            name={name}
            set={propertiesSet(connection, name)}
            onOpen={() => setOpen(name)}
          />
        ))}
      </ul>
      {open && (
        <SectionSheet name={open} connection={connection} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}
