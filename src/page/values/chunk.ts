export { ConfigValue } from './config_value.tsx';
export { LayerValues } from './layer_table.tsx';
export { RuleValues } from './rule_values.tsx';
