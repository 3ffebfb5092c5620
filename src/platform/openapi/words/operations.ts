/** Descriptions shared by operations of one pattern: by method and end of the path. The first match wins. */
export const recipes: [method: string, path: RegExp, words: string][] = [
  [
    'GET',
    /\/versions\/:version$/,
    'The whole entity at that version, and the change of each property; `compareTo` names another version to compare with.',
  ],
  [
    'PUT',
    /\/restore$/,
    'Makes that state the newest version, even after a deletion. References are checked again: 400 if one is missing.',
  ],
  [
    'GET',
    /\/versions$/,
    'Newest first: author, time and changed properties. Deleting an entity keeps its history.',
  ],
  [
    'GET',
    /\/references$/,
    'Up to 1,000 of each; `more` reports whether there are more. An entity with dependents cannot be deleted.',
  ],
  ['GET', /_references$/, 'Newest first. A referenced gate is archived only by force.'],
  ['GET', /\/overrides$/, 'Units with a fixed result, regardless of the rules.'],
  [
    'POST',
    /\/overrides$/,
    'Replaces all overrides. A unit may be in only one list, 400 otherwise.',
  ],
  [
    'PATCH',
    /\/overrides$/,
    'Adds to the overrides. A unit may be in only one list, 400 otherwise.',
  ],
  [
    'DELETE',
    /\/overrides$/,
    'Removes the overrides in the body, or all without a body; returns the number removed.',
  ],
  ['GET', /\/rules$/, 'In order of evaluation.'],
  ['POST', /\/rules$/, 'Adds it at `position`, from 0, or last; returns the whole entity.'],
  ['PATCH', /\/rules\/:ruleID$/, 'Absent properties stay unchanged; returns the whole entity.'],
  ['DELETE', /\/rules\/:ruleID$/, 'The others keep their order; returns the whole entity.'],
  ['PUT', /\/enable$/, 'Its rules decide from now on.'],
  ['PUT', /\/disable$/, 'The rules are kept, but not evaluated until it is enabled.'],
  ['PUT', /\/launch$/, 'The rules are kept, but not evaluated until it is enabled again.'],
  ['PUT', /\/archive$/, 'Lists omit it by default. 409 while it is in use.'],
  ['PUT', /\/unarchive$/, 'Restores the status before archiving.'],
  [
    'GET',
    /\/(tags|teams|target_apps|unit_id_types|users)$/,
    'By name: registered names and names that entities use, each with its number of uses.',
  ],
  [
    'PATCH',
    /\/(tags|teams|target_apps|unit_id_types|users)\/:id$/,
    'A new name replaces the old one in all entities at once. An unregistered name is registered.',
  ],
  [
    'DELETE',
    /\/(tags|teams|target_apps|unit_id_types|users)\/:id$/,
    '409 with the dependents, while there are any.',
  ],
  [
    'GET',
    /\/(:id|company|wh_connections)$/,
    'The version is the ETag; 304 if If-None-Match has that version.',
  ],
  [
    'POST',
    /\/:id$/,
    'Absent properties of the body are reset to defaults. Without changes, no version is created.',
  ],
  [
    'PATCH',
    /\/(:id|wh_connections|company|conditional)$/,
    'Absent properties stay unchanged; null clears nullable ones. Without changes, no version is created.',
  ],
  ['POST', /\/conditional$/, 'An alias of PATCH. Without changes, no version is created.'],
  [
    'DELETE',
    /\/:id$/,
    '409 while it is referenced. Its history is kept, and each version can be restored.',
  ],
  ['GET', /./, 'Newest first, filtered by the query; `pagination` links to the other pages.'],
  ['POST', /./, 'Returns the new entity, with its path in Location; 409 if the ID is taken.'],
];
