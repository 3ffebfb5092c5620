import { useState } from 'preact/hooks';
import { randomID } from '../base/api.ts';
import { go, stepFor, useStay } from '../base/location.ts';
import { metricIDOf } from '../base/metric_ids.ts';
import { whyNot } from '../base/session.ts';
import { useTitle } from '../base/title.ts';
import { identityOf } from '../entity/load.ts';
import { ChangeSheet } from '../entity/review/change_sheet.tsx';
import { useChange } from '../entity/review/check.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Pick } from '../ui/pick.tsx';
import { Seg } from '../ui/seg.tsx';
import { TextInput } from '../ui/text_input.tsx';
import { say } from '../ui/toast.tsx';
import { metricBody, missingInput } from './body.ts';
import { Measured } from './measured.tsx';
import { Preview } from './preview.tsx';
import { type DraftEditing, type MetricDraft, newDraft } from './state.ts';
import { Treatment } from './treatment.tsx';

const list = '/metrics';

const directions = { increase: '↑ an increase', decrease: '↓ a decrease' };

const NameFields = ({ draft, set }: DraftEditing) => (
  <section class="box build-box build-form" aria-label="Name">
    <Field
      label="Name"
      hint={`ID: ${metricIDOf({ name: draft.name.trim() || 'name', type: metricBody(draft).type })}`}
    >
      {(attributes) => (
        <TextInput {...attributes} value={draft.name} onText={(name) => set({ name })} />
      )}
    </Field>
    <div class="field">
      <p class="field-label" aria-hidden="true">
        Good is
      </p>
      <Seg
        label="Good is"
        options={directions}
        value={draft.directionality}
        onChoose={(next) => set({ directionality: next === 'decrease' ? 'decrease' : 'increase' })}
      />
    </div>
    <Field label="Counted by">
      {(attributes) => (
        <Pick
          attributes={attributes}
          names="unit_id_types"
          value={draft.unitType}
          onChange={(unitType) => set({ unitType })}
        />
      )}
    </Field>
    <div class="build-wide">
      <Field label="Description">
        {(attributes) => (
          <TextInput
            {...attributes}
            value={draft.description}
            onText={(description) => set({ description })}
          />
        )}
      </Field>
    </div>
  </section>
);

function CreateSheet({ draft, onClose }: { draft: MetricDraft; onClose: () => void }) {
  const [once] = useState(randomID);
  const request = { method: 'POST' as const, path: list, body: metricBody(draft), once };
  const change = useChange(request);
  return (
    <ChangeSheet
      title={`Create ${draft.name}`}
      request={request}
      change={change}
      label="Create"
      onStored={({ data, message }) => {
        say(message);
        onClose();
        go(`${list}/${stepFor(identityOf(data))}`);
      }}
      onClose={onClose}
    >
      <p>Its definition can't be changed later, because results depend on it.</p>
    </ChangeSheet>
  );
}

const whyNotCreate = (draft: MetricDraft) =>
  whyNot('write') ?? (draft.name.trim() === '' ? 'Name is required' : missingInput(draft));

/** The page that defines a new metric without JSON, with its values of the last 14 days. */
export function Builder() {
  useTitle('New metric');
  const [draft, setDraft] = useState(newDraft);
  const [isCreating, setCreating] = useState(false);
  const [isTyped, setTyped] = useState(false);
  useStay(isTyped && !isCreating, () => {
    if (confirm('Leave? Your input will be lost.')) go(list);
  });
  const change = (next: MetricDraft) => {
    setDraft(next);
    setTyped(true);
  };
  const set = (edits: Partial<MetricDraft>) => change({ ...draft, ...edits });
  return (
    <>
      <p class="crumb">
        <a class="crumb-link" href={list}>
          Metrics
        </a>
      </p>
      <div class="page-head">
        <h1 class="page-title">New metric</h1>
        <div class="build-row">
          <Button onClick={() => go(list)}>Cancel</Button>
          <Button look="primary" why={whyNotCreate(draft)} onClick={() => setCreating(true)}>
            Create …
          </Button>
        </div>
      </div>
      <div class="res build">
        <div class="res-main">
          <NameFields draft={draft} set={set} />
          <Measured draft={draft} onDraft={change} />
          <Treatment draft={draft} set={set} />
        </div>
        <Preview draft={draft} />
      </div>
      {isCreating && <CreateSheet draft={draft} onClose={() => setCreating(false)} />}
    </>
  );
}
