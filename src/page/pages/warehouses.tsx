import { useState } from 'preact/hooks';
import type * as z from 'zod';
import type { connectionResponse } from '../../resources/wh_connections/schema.ts';
import { get } from '../api.ts';
import { differences } from '../compare.ts';
import { ChangeSheet } from '../recipe/change_sheet.tsx';
import { errorsOf, useChange } from '../recipe/check.ts';
import { Differences } from '../recipe/differences.tsx';
import { Fields, within } from '../recipe/fields.tsx';
import type { FieldSpec, Values } from '../recipe/kind.ts';
import { whyNot } from '../session.tsx';
import { Button } from '../ui/button.tsx';
import { Loading } from '../ui/loading.tsx';
import { Note } from '../ui/note.tsx';
import { Refusal } from '../ui/problem.tsx';
import { Status } from '../ui/status.tsx';
import { say } from '../ui/toast.tsx';
import { useGet } from '../use.ts';
import { nameOf } from '../words.ts';

type Connection = z.infer<typeof connectionResponse>;
type SectionName = 'athena' | 'bigquery' | 'databricks' | 'redshift' | 'snowflake';

const text = (property: string): FieldSpec => ({ property, as: 'text' });
const toggle = (property: string): FieldSpec => ({ property, as: 'toggle' });
const number = (property: string): FieldSpec => ({ property, as: 'number' });

/** The fields of each warehouse, checked against what the API has. */
const sections: { [Name in SectionName]: (keyof NonNullable<Connection[Name]> & string)[] } = {
  athena: [
    'region',
    'bucket',
    'dataCatalog',
    'useCatalogInQueryContext',
    'database',
    'queryResultLocation',
    'workgroup',
    'roleArn',
  ],
  bigquery: ['privateKey', 'project', 'consoleComputeProject', 'stagingDataset'],
  databricks: [
    'host',
    'path',
    'accessToken',
    'stagingDatabase',
    'oauthClientID',
    'consoleComputePath',
  ],
  redshift: [
    'host',
    'port',
    'database',
    'username',
    'password',
    'stagingSchema',
    'useSshTunnel',
    'sshUsername',
    'sshPort',
    'sshHost',
    'sshPrivateKey',
    'sshPublicKey',
    'verifyCA',
    'useAssumeRole',
    'roleArn',
    'region',
  ],
  snowflake: [
    'accountName',
    'serviceUserName',
    'serviceUserPassword',
    'privateKey',
    'keyPassPhrase',
    'stagingDatabaseName',
    'stagingSchemaName',
    'computeWarehouse',
    'consoleComputeWarehouse',
  ],
};

const specOf = (property: string): FieldSpec => {
  if (/^(use|verify)/.test(property)) return toggle(property);
  return /port$/i.test(property) ? number(property) : text(property);
};

interface SectionSheetProps {
  name: SectionName;
  connection: Connection;
  onClose: () => void;
}

/** One warehouse: what is changed is sent, and a secret that is left alone stays sealed. */
function SectionSheet({ name, connection, onClose }: SectionSheetProps) {
  const before: Values = { ...connection[name] };
  const [values, setValues] = useState<Values>(before);
  const changed = Object.fromEntries(
    Object.entries(values).filter(([property, value]) => value !== before[property]),
  );
  const isChanged = Object.keys(changed).length > 0;
  const { version } = connection;
  const body = { [name]: changed };
  const patch = { method: 'PATCH' as const, path: '/wh_connections', body, version };
  const request = isChanged ? patch : undefined;
  const change = useChange(request);
  const errors = within(errorsOf(change.checked), `${name}.`);
  return (
    <ChangeSheet
      title={nameOf(name)}
      request={request}
      change={change}
      label="Save"
      waiting="Nothing is changed yet"
      onStored={({ message }) => {
        say(message);
        onClose();
      }}
      onClose={onClose}
    >
      <Note look="info">
        A secret is shown as a placeholder. Leave it to keep the secret, empty it to remove it.
      </Note>
      <Fields
        specs={sections[name].map(specOf)}
        values={values}
        errors={errors}
        onChange={(property, value) => setValues((others) => ({ ...others, [property]: value }))}
      />
      {isChanged && <Differences list={differences(before, values)} />}
    </ChangeSheet>
  );
}

const names: SectionName[] = ['athena', 'bigquery', 'databricks', 'redshift', 'snowflake'];

/** What is set of a warehouse. */
const given = (connection: Connection, name: SectionName) =>
  Object.entries(connection[name] ?? {}).filter(([, value]) => value !== '');

interface SectionProps {
  name: SectionName;
  /** What is set of it. */
  set: [property: string, value: unknown][];
  onOpen: () => void;
}

/** One warehouse. */
function Section({ name, set, onOpen }: SectionProps) {
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
              <dd class="fact-value">{String(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

/** The warehouses, each with what is set of it. */
export function Warehouses() {
  const { value, problem, again } = useGet('/wh_connections', () =>
    get<Connection>('/wh_connections'),
  );
  const [open, setOpen] = useState<SectionName>();
  if (!value) return problem ? <Refusal problem={problem} onAgain={again} /> : <Loading />;
  const isSet = (name: SectionName) => given(value.data, name).length > 0;
  const setFirst = names.toSorted((a, b) => Number(isSet(b)) - Number(isSet(a)));
  return (
    <>
      <ul class="cards">
        {setFirst.map((name) => (
          <Section
            key={name}
            name={name}
            set={given(value.data, name)}
            onOpen={() => setOpen(name)}
          />
        ))}
      </ul>
      {open && (
        <SectionSheet name={open} connection={value.data} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}
