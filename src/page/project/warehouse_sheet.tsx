import { useState } from 'preact/hooks';
import type * as z from 'zod';
import type { connectionResponse } from '../../data/connections/schema.ts';
import { secretFields, secretPlaceholder } from '../../data/connections/secret_fields.ts';
import { nameOf } from '../base/words.ts';
import { Fields, within } from '../entity/edit/fields.tsx';
import type { EntityValues, FieldSpec } from '../entity/kind.ts';
import { ChangeSheet } from '../entity/review/change_sheet.tsx';
import { errorsOf, useChange } from '../entity/review/check.ts';
import { differences } from '../entity/review/compare.ts';
import { Differences } from '../entity/review/differences.tsx';
import { say } from '../ui/toast.tsx';

export type Connection = z.infer<typeof connectionResponse>;
export type SectionName = 'athena' | 'bigquery' | 'databricks' | 'redshift' | 'snowflake';

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

function specOf(property: string, stored: EntityValues): FieldSpec {
  if (secretFields.has(property)) return { property, as: 'secret', empty: stored[property] ?? '' };
  if (/^(use|verify)[A-Z]/.test(property)) return { property, as: 'toggle' };
  if (!/port$/i.test(property)) return { property };
  const stays = stored[property] !== undefined && { hint: "Can't be removed." };
  return { property, as: 'number', ...stays };
}

const withSecretsAs = (values: EntityValues, text: (property: string, secret: unknown) => string) =>
  Object.fromEntries(
    Object.entries(values).map(([property, value]) =>
      secretFields.has(property) && value ? [property, text(property, value)] : [property, value],
    ),
  );

const secretInWords = (property: string, secret: unknown) =>
  secret === secretPlaceholder(property) ? 'unchanged' : 'new';

interface SectionSheetProps {
  name: SectionName;
  connection: Connection;
  onClose: () => void;
}

/** Sends only changed properties, so that an untouched secret stays sealed. */
function useSection({ name, connection }: SectionSheetProps) {
  const before: EntityValues = { ...connection[name] };
  const [edits, setEdits] = useState<EntityValues>({});
  const differing = (values: EntityValues) =>
    Object.fromEntries(
      Object.entries(values).filter(([property, value]) => value !== (before[property] ?? '')),
    );
  const changed = differing(edits);
  const { version = 0 } = connection;
  const patch = (fields: EntityValues) => ({
    method: 'PATCH' as const,
    path: '/wh_connections',
    version,
    body: { [name]: fields },
  });
  const isChanged = Object.keys(changed).length > 0;
  return {
    before,
    values: { ...before, ...edits },
    set: (typed: EntityValues) => setEdits((others) => differing({ ...others, ...typed })),
    request: isChanged ? patch(changed) : undefined,
    shown: isChanged ? patch(withSecretsAs(changed, secretPlaceholder)) : undefined,
  };
}

/** The dialog that connects or edits one warehouse. */
export function SectionSheet(props: SectionSheetProps) {
  const { name, onClose } = props;
  const { before, values, set, request, shown } = useSection(props);
  const change = useChange(request);
  const errors = within(errorsOf(change.checked), `${name}.`);
  return (
    <ChangeSheet
      title={nameOf(name)}
      request={shown}
      change={change}
      label="Save"
      waiting="No changes yet"
      hasOwnErrors={errors.size > 0}
      onStored={({ message }) => {
        say(message);
        onClose();
      }}
      onClose={onClose}
    >
      <Fields
        specs={sections[name].map((property) => specOf(property, before))}
        value={values}
        errors={errors}
        set={set}
      />
      {request && (
        <Differences
          list={differences(
            withSecretsAs(before, secretInWords),
            withSecretsAs(values, secretInWords),
          )}
        />
      )}
    </ChangeSheet>
  );
}
