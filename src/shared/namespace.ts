/** The tables of what applications ask for by one list of names, in every SDK. */
export const oneNamespace = ['dynamic_configs', 'experiments', 'autotunes'];
