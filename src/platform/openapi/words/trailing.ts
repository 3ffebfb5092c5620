const paths = {
  AllGateChecks: 'hours hours.checks hours.passes hours.fails',
  AutotuneResults: `explorationEndTime variants.units variants.successes variants.allocation variants.interval
    variants.interval.lower variants.interval.upper hours hours.variants.units hours.variants.successes
    hours.variants.allocation warnings`,
  DecisionCondition: 'metricID better notWorseThan',
  ExperimentBaseline: 'from to units unitsPerDay isPartial baseline reason',
  ExperimentHealth: 'exposures.lastTime metrics.upTo',
  ExposureCounts: 'experiments gates dynamicConfigs',
  GateChecks: 'hours hours.checks hours.passes hours.fails',
  Lifts: 'ds',
  Message: 'message',
  MetricPreview: `from to units unitsPerDay isPartial baseline steps skippedEvents days days.units reason warnings`,
  MetricResult: 'ds',
  Page: 'message',
  Power: 'alpha units minimumDetectableEffects minimumDetectableEffects.reason',
  PowerAnalysis: `proportion baselineExperimentID metricID controlShare alpha power bonferroni relativeEffect`,
  Pulse: 'ds preliminary warnings',
  PulseLoad: 'finishedTime',
  PulseSummary: 'ds metric',
  References: 'more',
  ReportLink: 'url',
  RuleAddition: 'position',
  RuleChange: 'position',
  Series: 'warnings',
  SmallestChange: 'metricID percent',
  ValueRuleAddition: 'position',
  ValueRuleChange: 'position',
};

const schemas = [
  'CSV',
  'Export',
  'Import',
  'LayerOverridesRemoval',
  'PropertyChange',
  'Role',
  'Secret',
  'TargetAppsInput',
];

/**
 * The schemas and properties whose sentence follows their type; all others begin with it. The order has no meaning: the list
 * keeps the published text of the document, and can go when the text changes as a whole.
 */
export const trailing: ReadonlySet<string> = new Set([
  ...schemas,
  ...Object.entries(paths).flatMap(([schema, list]) =>
    list.split(/\s+/).map((path) => `${schema}.${path}`),
  ),
]);
