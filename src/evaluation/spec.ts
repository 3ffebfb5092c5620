/** A JSON object: the value of a config, the parameters of a group. */
export type Values = Readonly<Record<string, unknown>>;

/** What a condition compares with. */
export type Target = string | number | readonly (string | number)[] | null;

/** What a condition looks at. */
export type ConditionType =
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

export interface Condition {
  readonly type: ConditionType;
  readonly operator: string | null;
  readonly field: string | null;
  readonly targetValue: Target;
  readonly additionalValues: Readonly<Record<string, string>>;
  readonly idType: string;
  readonly isDeviceBased: false;
}

/** The first rule of a spec whose conditions all hold decides. */
export interface Rule {
  readonly name: string;
  readonly id: string;
  readonly salt: string;
  /** 0 to 100: the share of units for which the rule passes once its conditions hold. */
  readonly passPercentage: number;
  readonly conditions: readonly Condition[];
  readonly returnValue: boolean | Values;
  readonly idType: string;
  readonly isDeviceBased: false;
  readonly groupName?: string;
  /** A group or variant that was drawn by chance, so that its exposures can be analysed. */
  readonly isExperimentGroup?: boolean;
  /** The experiment of a layer that decides instead. */
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

/**
 * What is evaluated for a user. This is the format of the SDKs' own downloads, member by member, so that what they
 * evaluate and what we evaluate is one object and the answers cannot drift apart.
 */
export interface Spec {
  readonly name: string;
  readonly type: 'feature_gate' | 'dynamic_config';
  readonly salt: string;
  /** Where false, `rules` is empty: one SDK evaluates the rules of a disabled spec all the same. */
  readonly enabled: boolean;
  readonly defaultValue: boolean | Values;
  readonly rules: readonly Rule[];
  readonly idType: string;
  readonly entity: EntityName;
  readonly isDeviceBased: false;
  readonly version: number;
  readonly isActive?: boolean;
  /** An experiment in a layer. */
  readonly hasSharedParams?: boolean;
  /** The parameters that an experiment in a layer sets. */
  readonly explicitParameters?: readonly string[];
}

/** A parameter of a param store: a value, or where to take it from. */
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

export interface ParamStore {
  readonly name: string;
  readonly version: number;
  readonly parameters: Readonly<Record<string, StoreParameter>>;
}

/** The kinds of what an application can ask for, in the order in which equally old ones take precedence. */
export const flagKinds = [
  'gate',
  'config',
  'experiment',
  'autotune',
  'layer',
  'param_store',
] as const;
export type FlagKind = (typeof flagKinds)[number];

/** The kinds that SDKs ask for as configs. */
export const configKinds: readonly FlagKind[] = ['config', 'experiment', 'autotune'];

/** Something that an application can ask for. */
export interface Flag {
  readonly kind: FlagKind;
  readonly id: string;
  readonly createdTime: number;
  /** The target apps it is meant for; none means all. */
  readonly targetApps: readonly string[];
}

/** Everything that one key can evaluate. */
export interface Project {
  /** Gates, holdouts and segments. */
  readonly gates: ReadonlyMap<string, Spec>;
  /** Dynamic configs, experiments and autotunes. */
  readonly configs: ReadonlyMap<string, Spec>;
  readonly layers: ReadonlyMap<string, Spec>;
  readonly paramStores: ReadonlyMap<string, ParamStore>;
  /** The ids of each segment that is too long to stand in its spec. */
  readonly idLists: ReadonlyMap<string, readonly string[]>;
  readonly layerOfExperiment: ReadonlyMap<string, string>;
  /** What an application can ask for, the oldest first; the rest is here because these refer to it. */
  readonly flags: readonly Flag[];
  /** Gates on a circle, which are served disabled; to be logged. */
  readonly circles: readonly string[];
  /** Gates that ask too many, one after the other; served and logged likewise. */
  readonly tooDeep: readonly string[];
  readonly environments: readonly string[] | null;
  readonly targetAppID: string | null;
}

/** The list of a project in which each kind of flag is found. */
export const listOfKind = {
  gate: 'gates',
  config: 'configs',
  experiment: 'configs',
  autotune: 'configs',
  layer: 'layers',
  param_store: 'paramStores',
} as const satisfies Record<FlagKind, keyof Project>;
