/**
 * One kind of odd construction: its name, the pattern that finds it in prose, and what to write instead. Each fires on
 * less than 1% of the comments of well-known projects.
 * @typedef {{ name: string, pattern: RegExp, hint: string }} Rule
 */

/** @type {[name: string, pattern: RegExp, hint: string][]} */
const table = [
  // Relative clauses without a noun.
  [
    'what-of',
    /(?<!\b(?:depends|depending|based|focus|rely|relies|regardless|example|instead|outside|union|opposite|description|summary|list|because|aware|sense|idea) )\b(?:of|by|with|to|from|in|than|into|off|at|beside|behind) what\b(?! (?:extent|degree|you|we|I|kind|sort|type|order|version|point|happens|happened|if|changed|should|the (?:user|caller|spec|docs|browser|server|client)\b)|['’]s)/gi,
    'name the thing: "the entity", "the rows", "the request"',
  ],
  [
    'what-start',
    /^What (?!if\b|about\b|happens\b|'s\b|we\b|you\b|not\b|to\b)[^?]*$/g,
    'start with a noun or a verb: "The rows that …", "Returns …"',
  ],
  [
    'what-passive',
    /(?<!\b(?:see|know|knows|exactly|decides?|decided|determines?|control|controls|specif(?:y|ies)|matches|about|regardless of) )\bwhat (?:is|are|was|were|has been|had been) (?!the\b|needed\b|expected\b|required\b|being\b|now\b|happening\b|going\b)[a-z]+(?:ed|en|ne|ld|nt|wn|ad|de|ut|rn)?\b(?=[ ,.;:)])(?![^.]*\?)/g,
    'name the thing: "the stored value", "the changed rows"',
  ],
  [
    'of-front',
    /(?:^|[.;:] )Of (?!course\b|note\b|the (?:above|following)\b)|[;:] of (?!course\b)(?:a|an|the|this|that|what|one|two|several|some|many|those|each|all|others?|which|its|removals?) /g,
    'put the subject first: "For a removal, …"',
  ],
  [
    'of-which',
    /\b(?:of which|of whom|whereof|whither|therefrom|thereof|hereof|thereby|therein)\b/g,
    'split the sentence, or use "whose"',
  ],
  [
    'that-of',
    /(?:\bbut |[;,:] |^|\bas |\bbeside |\band |\bor )(?:that|those) of (?!us\b)/gi,
    'repeat the noun: "the index of …"',
  ],
  [
    'same-start',
    /^The same(?: (?:of|for|with|by|from|as|to|in)\b|,|:|\.| \w+, )/g,
    'say what it does; do not lean on the comment above',
  ],
  [
    'one-that',
    /(?:[;,:] |^|\bof )(?:one|another|ones) (?:that|which|whose|of which|without|with)\b/gi,
    'repeat the noun: "an experiment that …"',
  ],
  [
    'nothing-that',
    /\b(?:anything|nothing|something|everything) (?:of (?:it|them|a|an|the|what)\b|else that (?:is|has|was)\b)|\ball that (?:is|are|was|were|it|they|a|an|has|must|can|may|asks?)\b/gi,
    'name the thing: "every referrer", "no field"',
  ],
  // Conditions written as places.
  [
    'where-if',
    /(?:^|[.;:] )Where (?!possible|applicable|appropriate|available|relevant|to|the (?:\w+ ){1,3}(?:is|are) (?:stored|defined|located|mounted))[^.?]{3,120}, |(?<!\b(?:case|cases|place|places|situation|situations|scenario|scenarios|point|page|file|list|to|from|know|of|array|object|string|SQL|clause) )\bwhere (?:there (?:is|are|was|were|would) (?:none|no|nothing|one|any|room|several|some)|nothing|nobody|none|no one|left out|absent|it (?:is (?:none|no|not|neither|said|known|there|absent|left|given)|has (?:none|no|not)|was (?:not|none|left))|that (?:is|was|has|fails|goes)|(?:this|these|those|they) (?:is|are|do|have|has)\b (?:no|not|none)|all of|anybody|somebody|wanted|several|many|most|given)\b/g,
    '"if", "when" or "unless"',
  ],
  [
    'but-for',
    /\b(?:all|none|nothing|any|anything|everything|same|another|each|every|[a-z]+,) but (?:for )?(?=(?:a|an|the|its|those|that|what|one|ids?|archived|names?|where|keys?|of|to) )(?!for now)|, but for (?:its|the|a|an|that|those|what|one|ids?|archived|names?)\b|\bbut (?:of|where|that of|those of) (?!course)|\bbut to (?:one|those|who)\b|\b(?:property|properties|entity|entities|columns?|kinds?|scopes?|ids?|settings?|rules?) but for\b/g,
    '"except"',
  ],
  [
    'as-where',
    /, as (?:where|by|after|of(?! (?:version|v?\d|now|this|today|the|January|February|March|April|May|June|July|August|September|October|November|December))|from|its|those|that (?:is|was|of)|they do|lists|a (?:phase|key|change)\b)|\bjust as\b(?! (?:well|in|with|it|if|before|easily|much|fast|important|likely|many))/g,
    '"for example", "because" or "like"',
  ],
  [
    'be-it',
    /\bbe it\b|\bwhatever (?:its|it|else|they|was|is|their|an?|all|that|other|time|kind|body|the (?:case|kinds?|size|order|length|body|two))\b|\bhowever (?:many|often|long|large|deep|old|few|it is|small)\b|\bwhichever (?:is|was|of|one|version|filter|it)\b|\bin whatever\b/g,
    '"regardless of", "any"',
  ],
  // Negation and quantity.
  [
    'is-none',
    /(?<!\b(?:there|There|it|since|when) )\b(?:is|are|was|were|be) no (?!longer|more|worse|better|different|fewer|less|larger|smaller|slower|faster|need|way|reason|point|such|guarantee|difference|doubt|other|matter|exception|problem|big|op|one)\b|(?<!\b(?:there|There|default|value) )\b(?:is|are|was) none\b(?! of)|\b(?:is|are|was|were) nothing\b(?! (?:to|more|else|wrong|left|new|for|of|in|we|here))/g,
    '"is not a …", "has no …", "is undefined"',
  ],
  [
    'there-clause',
    /\bthat there (?:is|are|was|were|ever)\b(?! (?:a|an|no|any|some|already|at|only|at least|more|exactly|nothing)\b)|\ball there (?:is|are|was|were)\b|\bthan there (?:is|are|was|were)\b|\bwho has (?:it|none|one)\b|\bthere be\b/g,
    '"existing …", or drop it',
  ],
  [
    'nobody',
    /\b(?:[Ss]omebody|[Ww]hoever|[Aa]nybody|[Ee]verybody)\b|\b[Nn]obody (?:else|is|has|was|named|registered|set|asks?|can|may|passes|touches|said|gave|gets)\b/g,
    '"no one", "someone", "anyone", or the actor: "the caller"',
  ],
  ['any-more', /\b(?:any|no) more(?=[,.;:)]|$)/g, '"no longer"'],
  [
    'alone',
    /\b(?:by|of|to|for|with|in|from|has|have) (?:those|these|that|it|them|its? \w+|ids?|names?|\w+s) alone\b(?! (?:is|are|was|isn|causes|time))/g,
    '"only" before the noun',
  ],
  // Verbs that things in this code do and code elsewhere does not.
  [
    'being',
    /\b(?:com(?:e|es|ing)|came) (?:into being|of (?:a|an|it|one|which|them|that|some|the)|to (?:be|hold|pass|list|name|that of|the same|\d+|it|what|nothing)|by itself|along|together with|anew|behind)\b/g,
    '"is created", "results from", "equals", "is included"',
  ],
  [
    'goes-on',
    /\b(?:go|goes|went|going) (?:on|by|along|anew|behind)\b(?! the (?:left|right|top|bottom))/g,
    '"continues", "uses", "is renamed to"',
  ],
  [
    'told',
    /\b(?:is|are|was|were|be|been) (?:told|said|spoken)\b(?! to (?:be|have)\b)|\b(?:is|are|was) meant\b(?! (?:to|for|as|by)\b)|\btold (?:of|what|apart|by|again|as|a|an|how|so|only|from)\b|\b(?:says|said) (?:so|nothing|what|which|how|by itself|itself|beside|who|of)\b|\btells? (?:of|nobody|nothing|it|which|a request|what is)\b|\bknown of\b|\bknows? of\b|\bsays? (?:a|the) name\b/g,
    '"is notified", "reports", "lists", "returns", "names"',
  ],
  [
    'made-of',
    /\b(?:makes?|made|making) (?:of (?:it|them|a|an|what|that)|anew|again)\b(?! (?:a|an|the)? ?(?:mistake|request))|\bis made (?:when|where|at|by|with|after|for|new|of (?:a|an|its|that))\b/g,
    '"computes", "builds", "is created"',
  ],
  [
    'takes-away',
    /\b(?:tak(?:e|es|en|ing)|took) (?:away|back)\b|\b(?:giv(?:e|es|en)|gave) back\b|\bbrings? (?:along|into|back what)\b|\bput(?:s)? away\b|\bhand(?:s|ed)? on\b|\bpass(?:es|ed)? over\b/g,
    '"removes", "rolls back", "restores", "skips"',
  ],
  [
    'asks',
    /\b(?:that|who|which|it|they|gate|experiment|something|entity|apps?|applications?|evaluation|by itself|nobody|request|what) asks?\b(?! (?:the (?:user|database|server)|users?|you|if))|\b(?:is|are|was|were|be) asked(?: for)?\b(?! to)|\bas is asked\b|\bunless asked\b/g,
    '"requests", "evaluates", "depends on", "queries"',
  ],
  [
    'stands',
    /\b(?:stands?|stood|standing) (?!for\b|up\b|out\b|alone\b|to\b|down\b|by\b(?! ))(?:in|on|at|behind|beside|between|there|so|here|before|where|as|of|still|with|under|within|unsealed|free)\b/g,
    '"is", "is stored in", "is set in"',
  ],
  [
    'has-do',
    /^Has (?:what|a|an|the|nothing|applications|something|all|each|its|some|whoever|everything)\b/g,
    'an active verb: "Loads …", "Makes …"',
  ],
  [
    'beside',
    /\b[Bb]esides?\b(?! (?:the point|that,))|\bas well, |\bbehind (?:the (?:answer|page|one|last|record)|answers|a (?:record|key|change)|it\b|what|which|all|them|others)/g,
    '"next to", "along with", "in addition to", "after"',
  ],
  [
    'is-to',
    /\b(?:that|which|what|who) (?:is|are|was|were) to (?!blame)(?:be |have |come|go|start|change|hold|move)|\bstill to (?:come|go|be|have)\b|\bthere (?:is|are) to\b/g,
    '"must", "will", "pending"',
  ],
  [
    'may-will',
    /\b(?:can|may) (?:do without|say what it|be to)\b|\bwill do\b(?!,| (?:the|this|that|it|so|nothing|a|more|some))|\bneed not\b|\bis up to (?:who|the|what)\b/g,
    'plain modal: "is enough", "is optional", "depends on"',
  ],
  [
    'archaic',
    /\b(?:anew|herewith|hitherto|lest|ought|upon which|whence|thence|for good|slip of the pen|in sight|at hand|likelier|ever more|in place of|round (?:them|it)|quicker|save for|of late|lately)\b/gi,
    'ordinary word: "again", "also", "in the meantime", "permanently", "instead of"',
  ],
  [
    'dangling',
    /\b(?:which|that|who|what) (?:it|they|that|he|one) (?:is|are|was|were|has|had) (?:of|in|from|by|at|for|with|on)\b(?=[,.;:]|$)|\b(?:is|are|was|were) of (?:what|which|whom|it|them|that|others|one|its own|reads|this|another|any)\b/g,
    '"belongs to", "refers to"',
  ],
  [
    'as-it',
    /\bas (?:it|they|that|he|one) (?:is|are|was|were|has|had|have|came|comes|stands?|stood|likes?) (?:known|given|answered|stored|kept|read|written|sent|there|now|then|today|shown|listed|compared|edited|when)\b|\bas it (?:is|was)[,.;:)]|\bas it (?:is|was)$/g,
    '"unchanged", "in stored form", "current"',
  ],
  [
    'so-much',
    /\bso (?:many|much|far|long|large|few)\b(?= (?:as|of|requests|that|units|rows|after|behind))|\bas far as\b(?! (?:I|we|you)\b)|\bas many as\b|\bno sooner than\b|\bno (?:earlier|later) than\b(?! v?\d)/g,
    'rephrase with a number or "up to"',
  ],
];

/** @type {Rule[]} */
export const rules = table.map(([name, pattern, hint]) => ({ name, pattern, hint }));
