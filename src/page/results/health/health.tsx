import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ago } from '../../base/words.ts';
import { countOf, dayLabel, pValue } from '../../charts/format.ts';
import { ChartTable } from '../../charts/rows.tsx';
import type { HealthStatus } from '../../experiment/health_status.ts';
import { Icon } from '../../ui/icon.tsx';
import type { HealthCheck, Health as HealthData } from '../frame/api_types.ts';

const looks: Record<HealthStatus, string> = {
  PASSED: 'yes',
  WAITING: 'wait',
  WARNING: 'warn',
  FAILED: 'bad',
};

interface ShownCheck {
  name: string;
  status: HealthStatus;
  value: string;
  more: string;
  opened: ComponentChildren;
}

const withSign = (p: string) => (p.startsWith('<') ? p.replace('<', '< ') : `= ${p}`);

const fixed = (value: number | null, digits: number) => value?.toFixed(digits) ?? '–';

const fixedRatio = (shares: (number | null)[]) =>
  shares.map((share) => fixed(share, 1)).join(' : ');

const dayUpTo = (end: number) => dayLabel(end - 1);

const upToInWords = (end: number) =>
  end > Date.now() ? `to now, part of ${dayUpTo(end)}` : `to ${dayUpTo(end)}, 24:00 UTC`;

function checksOf({
  healthChecks,
  exposures,
  balance,
  crossovers,
  metrics,
}: HealthData): ShownCheck[] {
  const found = (name: string): HealthCheck =>
    healthChecks.find((check) => check.name === name) ?? {
      name,
      status: 'WAITING',
      description: '',
    };
  const late = metrics.filter(({ problem }) => problem !== null);
  const days = metrics.flatMap(({ upTo }) => (upTo ? [upTo] : []));
  const bias = found('Pre-Experiment Bias');
  const description = (name: string) => <p>{found(name).description}</p>;
  return [
    {
      name: 'Exposures',
      status: found('Exposures').status,
      value: `${countOf(exposures.units)} units`,
      more: exposures.lastTime === null ? 'none yet' : `last one ${ago(exposures.lastTime)}`,
      opened: description('Exposures'),
    },
    {
      name: 'Balance',
      status: found('Balanced groups').status,
      value:
        exposures.units > 0
          ? fixedRatio(balance.groups.map(({ observedShare }) => observedShare))
          : 'Waiting',
      more:
        balance.pValue === null
          ? 'from 100 units on'
          : `expected ${fixedRatio(balance.groups.map(({ expectedShare }) => expectedShare)).replaceAll('.0', '')}, p ${withSign(pValue(balance.pValue))}`,
      opened: (
        <>
          {description('Balanced groups')}
          <ChartTable
            label="Balance of the groups"
            heads={['Group', 'Units', 'Observed', 'Expected']}
            rows={balance.groups.map(({ groupName, units, observedShare, expectedShare }) => [
              groupName,
              countOf(units),
              `${fixed(observedShare, 2)}%`,
              `${fixed(expectedShare, 2)}%`,
            ])}
          />
          {balance.alwaysValidPValue !== null && (
            <p class="small">{`Always-valid p ${withSign(pValue(balance.alwaysValidPValue))}: it is valid at every look.`}</p>
          )}
          {balance.dimensions.length > 0 && (
            <ChartTable
              label="Balance by dimension"
              heads={['Dimension', 'p']}
              rows={balance.dimensions.map(({ dimension, dimension_value: value, pValue: p }) => [
                `${dimension}: ${value || '(none)'}`,
                pValue(p),
              ])}
            />
          )}
        </>
      ),
    },
    {
      name: 'Crossovers',
      status: found('Crossover').status,
      value: `${countOf(crossovers.units)} units`,
      more: crossovers.share === null ? 'none yet' : `${fixed(crossovers.share, 2)}%, left out`,
      opened: description('Crossover'),
    },
    {
      name: 'Metric data',
      status: found('Metrics').status,
      value:
        late.length > 0
          ? `${late.length} of ${metrics.length} have a problem`
          : found('Metrics').status === 'WARNING'
            ? 'Events are missing'
            : `All ${metrics.length} up to date`,
      more: days.length > 0 ? upToInWords(Math.min(...days)) : 'nothing loaded yet',
      opened: (
        <>
          {description('Metrics')}
          <ChartTable
            label="Data of the metrics"
            heads={['Metric', 'Up to', 'Late events', 'Problem']}
            rows={metrics.map(({ metricName, upTo, lateEvents, problem }) => [
              metricName,
              upTo === null ? '–' : dayUpTo(upTo),
              lateEvents === null ? '–' : countOf(lateEvents),
              problem ?? 'none',
            ])}
          />
        </>
      ),
    },
    ...(bias.status === 'WARNING' || bias.status === 'FAILED'
      ? [
          {
            name: 'Pre-experiment bias',
            status: bias.status,
            value: 'Groups differed before',
            more: 'see which metrics',
            opened: <p>{bias.description}</p>,
          },
        ]
      : []),
  ];
}

/** The health checks as buttons; each opens its numbers below the strip. */
export function Health({ health }: { health: HealthData }) {
  const [open, setOpen] = useState<string>();
  const checks = checksOf(health);
  const opened = checks.find(({ name }) => name === open);
  const failed = checks.filter(({ status }) => status === 'FAILED').map(({ name }) => name);
  return (
    <section class="health-part" aria-label="Health">
      <div class={`health health-${checks.length}`}>
        {checks.map(({ name, status, value, more }) => (
          <button
            key={name}
            class={`hc hc-${looks[status]}`}
            type="button"
            aria-expanded={name === open}
            onClick={() => setOpen(name === open ? undefined : name)}
          >
            <span class="hc-name">
              <Icon
                name={status === 'PASSED' ? 'check' : status === 'WAITING' ? 'clock' : 'alert'}
              />
              {name}
              <span class="unseen">{`, ${status.toLowerCase()}`}</span>
            </span>
            <span class="hc-value">{value}</span>
            <span class="hc-more">{more}</span>
            <span class="hc-caret">
              <Icon name="right" />
            </span>
          </button>
        ))}
      </div>
      {opened && <div class="hc-opened">{opened.opened}</div>}
      <p class="unseen" role="status">
        {failed.length > 0 ? `Health check failed: ${failed.join(', ')}` : ''}
      </p>
    </section>
  );
}
