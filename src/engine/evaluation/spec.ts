export type ParameterValues = Readonly<Record<string, unknown>>;

export type SpecTarget = string | number | readonly (string | number)[] | null;

export type SpecConditionType =
  | 'public'
  | 'pass_gate'
  | 'fail_gate'
  | 'user_field'
  | 'unit_id'
  | 'ip_based'
  | 'ua_based'
  | 'environment_field'
  | 'current_time'
  | 'user_bucket'
  | 'target_app';

export interface SpecCondition {
  readonly type: SpecConditionType;
  readonly operator: string | null;
  readonly field: string | null;
  readonly targetValue: SpecTarget;
  readonly additionalValues: Readonly<Record<string, string>>;
  readonly idType: string;
  readonly isDeviceBased: false;
}

/** The first rule whose conditions all hold decides. */
export interface SpecRule {
  readonly name: string;
  readonly id: string;
  readonly salt: string;
  /** Percent of the units for which the conditions hold, 0 to 100. */
  readonly passPercentage: number;
  readonly conditions: readonly SpecCondition[];
  readonly returnValue: boolean | ParameterValues;
  readonly idType: string;
  readonly isDeviceBased: false;
  readonly groupName?: string;
  /** Whether units are assigned to the group by bucket, so that exposures are recorded. */
  readonly isExperimentGroup?: boolean;
  readonly configDelegate?: string;
}

export type EntityName =
  | 'feature_gate'
  | 'holdout'
  | 'segment'
  | 'dynamic_config'
  | 'experiment'
  | 'autotune'
  | 'layer';

/** The format that SDKs download. The service evaluates the same object, so that it cannot disagree with SDKs. */
export interface Spec {
  readonly name: string;
  readonly type: 'feature_gate' | 'dynamic_config';
  readonly salt: string;
  /** If false, `rules` is empty, because one SDK evaluates the rules of disabled specs. */
  readonly enabled: boolean;
  readonly defaultValue: boolean | ParameterValues;
  readonly rules: readonly SpecRule[];
  readonly idType: string;
  readonly entity: EntityName;
  readonly isDeviceBased: false;
  readonly version: number;
  readonly isActive?: boolean;
  readonly hasSharedParams?: boolean;
  readonly explicitParameters?: readonly string[];
}

export interface StoreParameter {
  readonly ref_type: 'static' | 'gate' | 'layer' | 'dynamic_config' | 'experiment';
  readonly param_type: string;
  readonly value?: unknown;
  readonly gate_name?: string;
  readonly pass_value?: unknown;
  readonly fail_value?: unknown;
  readonly layer_name?: string;
  readonly config_name?: string;
  readonly experiment_name?: string;
  readonly param_name?: string;
}

export interface SpecParamStore {
  readonly name: string;
  readonly version: number;
  readonly parameters: Readonly<Record<string, StoreParameter>>;
}

/** In order of precedence for flags with the same ID and creation time. */
export const flagKinds = [
  'gate',
  'config',
  'experiment',
  'autotune',
  'layer',
  'param_store',
] as const;
export type FlagKind = (typeof flagKinds)[number];

export const configKinds: readonly FlagKind[] = ['config', 'experiment', 'autotune'];

export interface Flag {
  readonly kind: FlagKind;
  readonly id: string;
  readonly createdTime: number;
  /** The target apps that receive it; all if empty. */
  readonly targetApps: readonly string[];
}

export interface Project {
  readonly gates: ReadonlyMap<string, Spec>;
  readonly configs: ReadonlyMap<string, Spec>;
  readonly layers: ReadonlyMap<string, Spec>;
  readonly paramStores: ReadonlyMap<string, SpecParamStore>;
  readonly idLists: ReadonlyMap<string, readonly string[]>;
  readonly layerOfExperiment: ReadonlyMap<string, string>;
  /** The entities that applications can request, oldest first. The other specs are dependencies. */
  readonly flags: readonly Flag[];
  readonly cycles: readonly string[];
  /** Gates with too long a chain of dependencies, served disabled and logged. */
  readonly tooDeep: readonly string[];
  readonly environments: readonly string[] | null;
  readonly targetAppID: string | null;
}

export const listOfKind = {
  gate: 'gates',
  config: 'configs',
  experiment: 'configs',
  autotune: 'configs',
  layer: 'layers',
  param_store: 'paramStores',
} as const satisfies Record<FlagKind, keyof Project>;
