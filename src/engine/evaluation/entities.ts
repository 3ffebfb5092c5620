import type { ParameterValues, StoreParameter } from './spec.ts';

/** The types of the resources match these structurally, so that evaluation imports neither the store nor resources. */
interface SpecEntity {
  readonly id: string;
  readonly version: number;
  /** Epoch milliseconds. */
  readonly createdTime: number;
}

interface Targeted extends SpecEntity {
  readonly idType: string;
  readonly targetApps: readonly string[];
}

export interface ConditionEntity {
  readonly type: string;
  readonly operator?: string | undefined;
  readonly targetValue?: string | number | readonly (string | number)[] | undefined;
  readonly field?: string | undefined;
  readonly customID?: string | undefined;
}

export interface RuleEntity {
  readonly id: string;
  readonly baseID: string;
  readonly name: string;
  readonly passPercentage: number;
  readonly conditions: readonly ConditionEntity[];
  readonly environments: readonly string[] | null;
  readonly returnValue?: ParameterValues | undefined;
  /** `passPercentage` is of the passing units; the rest gets the rule's value. */
  readonly variants?:
    | readonly {
        readonly name: string;
        readonly passPercentage: number;
        readonly returnValue: ParameterValues;
      }[]
    | undefined;
  /** The salt of an imported rule; otherwise `baseID` is the salt. */
  readonly salt?: string | null | undefined;
}

export interface UnitOverridesEntity {
  readonly passingUserIDs: readonly string[];
  readonly failingUserIDs: readonly string[];
  readonly environmentOverrides: readonly {
    readonly environment?: string | null | undefined;
    readonly unitID: string;
    readonly passingIDs: readonly string[];
    readonly failingIDs: readonly string[];
  }[];
}

export interface GateEntity extends Targeted {
  readonly status: 'In Progress' | 'Launched' | 'Disabled' | 'Archived';
  readonly holdoutIDs: readonly string[];
  readonly rules: readonly RuleEntity[];
  readonly salt?: string | null | undefined;
  readonly overrides: UnitOverridesEntity;
}

export interface DynamicConfigEntity extends Targeted {
  readonly status: 'In Progress' | 'Disabled' | 'Archived';
  readonly holdoutIDs: readonly string[];
  readonly rules: readonly RuleEntity[];
  readonly defaultValue: ParameterValues;
}

export interface SegmentEntity extends Targeted {
  readonly type: 'rule_based' | 'id_list';
  readonly rules: readonly RuleEntity[];
  readonly ids: readonly string[];
}

export interface HoldoutEntity extends Targeted {
  readonly isEnabled: boolean;
  readonly passPercentage: number;
  /** "" for none. */
  readonly targetingGateID: string;
  readonly overrides: UnitOverridesEntity;
}

export interface GroupEntity {
  readonly id: string;
  readonly name: string;
  /** Percent of the units in the experiment. */
  readonly size: number;
  readonly parameterValues: ParameterValues;
  readonly disabled: boolean;
}

type RunStatus =
  | 'setup'
  | 'active'
  | 'assignment_stopped'
  | 'decision_made'
  | 'experiment_stopped'
  | 'abandoned';

export interface ExperimentEntity extends Targeted {
  readonly status: RunStatus | 'archived';
  readonly archivedFrom: RunStatus | 'archived' | null;
  readonly startTime: number | null;
  readonly decisionTime: number | null;
  readonly launchedGroupID: string | null;
  readonly layerID: string | null;
  readonly holdoutIDs: readonly string[];
  readonly groups: readonly GroupEntity[];
  /** Percent of all units that can enter the experiment. */
  readonly allocation: number;
  readonly userBuckets?: readonly number[] | undefined;
  readonly allocatedBuckets?: readonly number[] | null | undefined;
  /** "" for none. */
  readonly targetingGateID: string;
  readonly inlineTargetingRulesJSON: string;
  readonly enabledNonProdEnvironments?: readonly string[] | undefined;
  readonly assignmentSourceName?: string | null | undefined;
  readonly isAnalysisOnly?: boolean | null | undefined;
  readonly salt?: string | null | undefined;
  readonly overrides: {
    readonly overrides: readonly {
      readonly type: 'gate' | 'segment';
      readonly id: string;
      readonly groupID: string;
      readonly environment?: string | null | undefined;
    }[];
    readonly userIDOverrides: readonly {
      readonly groupID: string;
      readonly ids: readonly string[];
      readonly environment?: string | null | undefined;
      readonly unitType?: string | undefined;
    }[];
  };
}

export interface LayerEntity extends Targeted {
  readonly parameters: readonly { readonly name: string; readonly defaultValue: unknown }[];
  readonly holdoutIDs: readonly string[];
  readonly overrides: {
    readonly conditionalOverrides: readonly {
      readonly type: 'gate' | 'segment';
      readonly name: string;
      readonly experimentName: string;
      readonly groupName: string;
    }[];
    readonly idOverrides: readonly {
      readonly groupName: string;
      readonly ids: readonly string[];
      readonly idType: string;
      /** "" for all. */
      readonly environment: string;
      readonly experimentName: string;
    }[];
  };
}

export interface AutotuneEntity extends Targeted {
  readonly status: 'setup' | 'active' | 'decision_made';
  readonly startTime: number | null;
  readonly decidedVariant: string | null;
  readonly variants: readonly {
    readonly name: string;
    readonly json: ParameterValues;
    readonly size: number;
  }[];
  /** Learned shares in percent, which replace the sizes. */
  readonly weights?: readonly number[] | undefined;
}

export interface ParamStoreEntity extends SpecEntity {
  readonly targetAppIDs: readonly string[];
  readonly parameters: readonly (StoreParameter & { readonly name: string })[];
}

export interface Entities {
  readonly gates: readonly GateEntity[];
  readonly dynamicConfigs: readonly DynamicConfigEntity[];
  readonly experiments: readonly ExperimentEntity[];
  readonly layers: readonly LayerEntity[];
  readonly holdouts: readonly HoldoutEntity[];
  readonly segments: readonly SegmentEntity[];
  readonly autotunes: readonly AutotuneEntity[];
  readonly paramStores: readonly ParamStoreEntity[];
}
