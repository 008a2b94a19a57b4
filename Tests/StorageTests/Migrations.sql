-- 25 stays of a stop
CREATE INDEX believed_pings ON pings (person, time_ms, sequence) WHERE suspect = 0;
CREATE TABLE blocks (
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    other INTEGER NOT NULL REFERENCES people ON DELETE CASCADE CHECK (other <> person),
    since_ms INTEGER NOT NULL,
    PRIMARY KEY (person, other)
) STRICT, WITHOUT ROWID;
CREATE INDEX blocks_of_other ON blocks (other);
CREATE TABLE cell_levels (
    number INTEGER PRIMARY KEY CHECK (number = 0),
    made_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE comments (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
    place INTEGER NOT NULL REFERENCES places ON DELETE CASCADE,
    author INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    at_ms INTEGER NOT NULL,
    edited_ms INTEGER CHECK (edited_ms >= at_ms),
    revision INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX comments_of_author ON comments (author);
CREATE INDEX comments_of_place ON comments (place);
CREATE TABLE decisions (
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    other INTEGER NOT NULL REFERENCES people ON DELETE CASCADE CHECK (other <> person),
    likes INTEGER NOT NULL CHECK (likes IN (0, 1)),
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (person, other)
) STRICT, WITHOUT ROWID;
CREATE INDEX decisions_about_other ON decisions (other);
CREATE TABLE dense_cells (cell INTEGER PRIMARY KEY, since_ms INTEGER NOT NULL) STRICT;
CREATE TABLE devices (
    number INTEGER PRIMARY KEY,
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
    token_hash BLOB NOT NULL CHECK (length(token_hash) = 32),
    since_ms INTEGER NOT NULL,
    UNIQUE (person, id)
) STRICT;
CREATE TABLE discovery_positions (
    person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE,
    moved_ms BIGINT NOT NULL,
    position POINT CHECK (length(position) = 60)
);
CREATE TABLE favourite_people (
    other INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    since_ms INTEGER NOT NULL,
    PRIMARY KEY (other, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX favourite_people_of_person ON favourite_people (person);
CREATE TABLE favourite_places (
    other INTEGER NOT NULL REFERENCES places ON DELETE CASCADE,
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    since_ms INTEGER NOT NULL,
    PRIMARY KEY (other, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX favourite_places_of_person ON favourite_places (person);
CREATE TABLE favourite_products (
    other INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    since_ms INTEGER NOT NULL,
    PRIMARY KEY (other, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX favourite_products_of_person ON favourite_products (person);
CREATE TABLE former_friendships (
    a INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    b INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    since_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL CHECK (until_ms >= since_ms),
    PRIMARY KEY (a, b, since_ms),
    CHECK (a < b)
) STRICT, WITHOUT ROWID;
CREATE INDEX former_friendships_of_b ON former_friendships (b);
CREATE TABLE friendships (
    a INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    b INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    asked_by INTEGER NOT NULL CHECK (asked_by IN (a, b)),
    asked_ms INTEGER NOT NULL,
    since_ms INTEGER CHECK (since_ms >= asked_ms),
    PRIMARY KEY (a, b),
    CHECK (a < b)
) STRICT, WITHOUT ROWID;
CREATE INDEX friendships_of_b ON friendships (b);
CREATE TABLE groups (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
    revision INTEGER NOT NULL,
    name TEXT NOT NULL, photo TEXT,
    hours TEXT, timezone TEXT,
    owner INTEGER NOT NULL REFERENCES people,
    CHECK ((hours IS NULL) = (timezone IS NULL))
) STRICT;
CREATE INDEX groups_of_owner ON groups (owner);
CREATE TABLE haunts (
    person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE,
    places BLOB NOT NULL CHECK (length(places) % 25 = 0)
) STRICT;
CREATE TABLE known_time (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    time_ms INTEGER NOT NULL,
    shown_ms INTEGER,
    even_ms INTEGER NOT NULL DEFAULT 0 CHECK (even_ms >= 0)
) STRICT;
CREATE TABLE labels (
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    friend INTEGER NOT NULL REFERENCES people ON DELETE CASCADE CHECK (friend <> person),
    label TEXT NOT NULL CHECK (label <> ''),
    PRIMARY KEY (person, friend)
) STRICT, WITHOUT ROWID;
CREATE INDEX labels_of_friend ON labels (friend);
CREATE TABLE leaving (person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE) STRICT;
CREATE INDEX long_stays ON pings (ifnull(place_cell, public_cell), CASE
    WHEN seen_until_ms - time_ms <= 14400000 THEN 1 WHEN seen_until_ms - time_ms <= 57600000 THEN 2
    WHEN seen_until_ms - time_ms <= 230400000 THEN 3 WHEN seen_until_ms - time_ms <= 921600000 THEN 4
    WHEN seen_until_ms - time_ms <= 3686400000 THEN 5 ELSE 6 END, time_ms)
    WHERE seen_until_ms > time_ms + 3600000;
CREATE TABLE memberships (
    group_number INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    invited_by INTEGER REFERENCES people ON DELETE CASCADE CHECK (invited_by <> person),
    since_ms INTEGER NOT NULL,
    PRIMARY KEY (group_number, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX memberships_by_inviter ON memberships (invited_by);
CREATE INDEX memberships_of_person ON memberships (person);
CREATE TABLE people (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
    revision INTEGER NOT NULL,
    name TEXT, surname TEXT, city TEXT,
    born TEXT CHECK (born IS date(born)),
    sex TEXT CHECK (sex IN ('female', 'male', 'other')),
    relationship TEXT CHECK (relationship IN ('single', 'partnered', 'married', 'separated',
        'divorced', 'widowed', 'open', 'complicated')),
    email TEXT, phone TEXT, photo TEXT, about TEXT,
    attributes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(attributes)),
    discoverable INTEGER NOT NULL DEFAULT 0 CHECK (discoverable IN (0, 1)),
    throttle_distance_m REAL CHECK (throttle_distance_m >= 0),
    throttle_interval_ms INTEGER CHECK (throttle_interval_ms >= 0),
    home_cell INTEGER,
    retention_ms INTEGER CHECK (retention_ms > 0),
    searchable INTEGER NOT NULL DEFAULT 1 CHECK (searchable IN (0, 1)),
    searchable_by_email INTEGER NOT NULL DEFAULT 0 CHECK (searchable_by_email IN (0, 1)),
    sharing TEXT CHECK (sharing IS NULL OR json_valid(sharing))
) STRICT;
CREATE INDEX people_by_email ON people (lower(email)) WHERE searchable_by_email = 1;
CREATE VIRTUAL TABLE people_text USING fts5(name, surname, content = '', detail = column, prefix = '1 2 3',
    tokenize = "cerca");
CREATE TABLE 'people_text_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE 'people_text_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'people_text_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
CREATE TABLE 'people_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE INDEX people_with_retention ON people (number) WHERE retention_ms IS NOT NULL;
CREATE TABLE ping_log (
    number INTEGER PRIMARY KEY,
    pings BLOB NOT NULL
) STRICT;
CREATE TABLE pings (
    number INTEGER PRIMARY KEY,
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
time_ms BIGINT NOT NULL,
sequence INTEGER NOT NULL CHECK (sequence BETWEEN 0 AND 255),
received_ms BIGINT NOT NULL,
device TEXT NOT NULL,
public_cell BIGINT NOT NULL,
accuracy_m REAL, altitude_m REAL, speed_mps REAL, heading REAL, battery REAL,
position POINT NOT NULL CHECK (length(position) = 60),
seen_until_ms BIGINT CHECK (seen_until_ms >= time_ms),
suspect INTEGER NOT NULL DEFAULT 0 CHECK (suspect IN (0, 1)),
gaps BLOB,
veiled INTEGER NOT NULL DEFAULT 0 CHECK (veiled IN (0, 1)),
    place_cell BIGINT,
    UNIQUE (person, time_ms, sequence)
);
CREATE INDEX pings_of_cell ON pings (ifnull(place_cell, public_cell), time_ms);
CREATE TABLE places (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
    revision INTEGER NOT NULL,
    kind TEXT NOT NULL, name TEXT NOT NULL,
    address TEXT, category TEXT,
    tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
    hours TEXT, timezone TEXT, owner TEXT,
    attributes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(attributes))
, "position" POINT, created_ms BIGINT);
CREATE VIRTUAL TABLE places_text USING fts5(name, address, category, tags, content = '', detail = column, prefix = '1 2 3',
    tokenize = "cerca");
CREATE TABLE 'places_text_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE 'places_text_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'places_text_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
CREATE TABLE 'places_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TABLE positions (
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
time_ms BIGINT NOT NULL,
sequence INTEGER NOT NULL CHECK (sequence BETWEEN 0 AND 255),
received_ms BIGINT NOT NULL,
device TEXT NOT NULL,
public_cell BIGINT NOT NULL,
accuracy_m REAL, altitude_m REAL, speed_mps REAL, heading REAL, battery REAL,
position POINT NOT NULL CHECK (length(position) = 60),
seen_until_ms BIGINT CHECK (seen_until_ms >= time_ms),
suspect INTEGER NOT NULL DEFAULT 0 CHECK (suspect IN (0, 1)),
gaps BLOB,
veiled INTEGER NOT NULL DEFAULT 0 CHECK (veiled IN (0, 1)),
    PRIMARY KEY (person)
);
CREATE TABLE products (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
    revision INTEGER NOT NULL,
    brand TEXT, name TEXT NOT NULL, category TEXT, gender TEXT,
    colors TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(colors)),
    materials TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(materials)),
    sizes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(sizes)),
    price INTEGER CHECK (price >= 0), currency TEXT CHECK (length(currency) = 3),
    description TEXT, url TEXT, photo TEXT,
    created_ms INTEGER NOT NULL DEFAULT 0,
    CHECK ((price IS NULL) = (currency IS NULL))
) STRICT;
CREATE VIRTUAL TABLE products_text USING fts5(brand, name, category, description, colors, materials, content = '', detail = column, prefix = '1 2 3',
    tokenize = "cerca");
CREATE TABLE 'products_text_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE 'products_text_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'products_text_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
CREATE TABLE 'products_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TABLE residences (
    person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE,
    cell INTEGER NOT NULL,
    since_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE secrets (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL CHECK (length(value) = 32)
) STRICT, WITHOUT ROWID;
CREATE TABLE sharings (
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    since_ms INTEGER NOT NULL,
    sharing TEXT CHECK (sharing IS NULL OR json_valid(sharing)),
    PRIMARY KEY (person, since_ms)
) STRICT, WITHOUT ROWID;
CREATE TABLE stay_log (number INTEGER PRIMARY KEY, stays BLOB NOT NULL) STRICT;
CREATE TABLE stock (
    store INTEGER NOT NULL REFERENCES places ON DELETE CASCADE,
    product INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
    price INTEGER CHECK (price >= 0), currency TEXT CHECK (length(currency) = 3),
    sizes TEXT NOT NULL CHECK (json_valid(sizes)),
    PRIMARY KEY (store, product),
    CHECK ((price IS NULL) = (currency IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX stock_of_product ON stock (product);
CREATE INDEX suspect_pings ON pings (person, time_ms) WHERE suspect = 1;
CREATE TABLE text_erasures (
    name TEXT PRIMARY KEY,
    count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE text_version (version INTEGER NOT NULL) STRICT;
-- 26 events
CREATE TABLE events (
    number INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    type TEXT NOT NULL,
    person INTEGER REFERENCES people ON DELETE CASCADE,
    other INTEGER REFERENCES people ON DELETE CASCADE,
    subject TEXT,
    happened_ms INTEGER,
    is_through INTEGER NOT NULL CHECK (is_through IN (0, 1)),
    note TEXT
) STRICT;
CREATE INDEX events_by_time ON events (at_ms);
CREATE INDEX events_of_other ON events (other) WHERE other IS NOT NULL;
CREATE INDEX events_of_person ON events (person) WHERE person IS NOT NULL;
CREATE TABLE last_event (number INTEGER NOT NULL) STRICT;
-- 27 fences
CREATE TABLE fence_fixes (
    person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE,
    time_ms INTEGER NOT NULL,
    latitude_e7 INTEGER NOT NULL,
    longitude_e7 INTEGER NOT NULL
) STRICT;
CREATE TABLE fence_visits (
    fence INTEGER NOT NULL REFERENCES fences ON DELETE CASCADE,
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    since_ms INTEGER NOT NULL,
    is_dwelling INTEGER NOT NULL CHECK (is_dwelling IN (0, 1)),
    PRIMARY KEY (fence, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX fence_visits_of_person ON fence_visits (person);
CREATE TABLE fences (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
    owner INTEGER REFERENCES people ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    document TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX fences_by_id ON fences (ifnull(owner, -1), id);
-- 28 fences of friends
CREATE TABLE events (
    number INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    type TEXT NOT NULL,
    person INTEGER REFERENCES people ON DELETE CASCADE,
    other INTEGER REFERENCES people ON DELETE CASCADE,
    subject TEXT,
    happened_ms INTEGER,
    is_through INTEGER NOT NULL CHECK (is_through IN (0, 1)),
    note TEXT
, precision TEXT
    CHECK (precision IN ('exact', 'approximate', 'city'))) STRICT;
CREATE TABLE fence_watches (
    fence INTEGER NOT NULL REFERENCES fences ON DELETE CASCADE,
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('asked', 'accepted', 'ended')),
    asked_ms INTEGER NOT NULL,
    answered_ms INTEGER,
    PRIMARY KEY (fence, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX fence_watches_of_person ON fence_watches (person);
-- 29 links
CREATE TABLE shares (
    number INTEGER PRIMARY KEY,
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
    token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    precision TEXT NOT NULL,
    since_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    place TEXT,
    latitude_e7 INTEGER,
    longitude_e7 INTEGER,
    within_m REAL,
    shows_trail INTEGER NOT NULL CHECK (shows_trail IN (0, 1)),
    label TEXT,
    views INTEGER NOT NULL
) STRICT;
CREATE INDEX shares_of_person ON shares (person);
-- 30 webhooks
CREATE TABLE webhooks (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
    revision INTEGER NOT NULL,
    document TEXT NOT NULL,
    secret BLOB NOT NULL CHECK (length(secret) >= 24),
    former_secret BLOB CHECK (length(former_secret) >= 24),
    former_until_ms INTEGER,
    progress TEXT NOT NULL,
    CHECK ((former_secret IS NULL) = (former_until_ms IS NULL))
) STRICT;
-- 31 live positions
CREATE TABLE "live_positions" (
    person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE,
    time_ms INTEGER NOT NULL,
    latitude_e7 INTEGER NOT NULL,
    longitude_e7 INTEGER NOT NULL
, accuracy_m REAL, veiled INTEGER NOT NULL DEFAULT 0 CHECK (veiled IN (0, 1))) STRICT;
-- without fence_fixes
-- 32 areas of places
CREATE TABLE places (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
    revision INTEGER NOT NULL,
    kind TEXT NOT NULL, name TEXT NOT NULL,
    address TEXT, category TEXT,
    tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
    hours TEXT, timezone TEXT, owner TEXT,
    attributes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(attributes))
, "position" POINT, created_ms BIGINT, area BLOB, area_within_m REAL CHECK (area_within_m >= 0));
-- 33 how far a log was followed
CREATE TABLE followed_log (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    log TEXT NOT NULL,
    number INTEGER NOT NULL,
    lease INTEGER NOT NULL,
    standing BLOB NOT NULL
) STRICT;
CREATE TABLE passing (
    person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE,
    state BLOB NOT NULL
) STRICT;
-- 34 ended tokens
CREATE TABLE people (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
    revision INTEGER NOT NULL,
    name TEXT, surname TEXT, city TEXT,
    born TEXT CHECK (born IS date(born)),
    sex TEXT CHECK (sex IN ('female', 'male', 'other')),
    relationship TEXT CHECK (relationship IN ('single', 'partnered', 'married', 'separated',
        'divorced', 'widowed', 'open', 'complicated')),
    email TEXT, phone TEXT, photo TEXT, about TEXT,
    attributes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(attributes)),
    discoverable INTEGER NOT NULL DEFAULT 0 CHECK (discoverable IN (0, 1)),
    throttle_distance_m REAL CHECK (throttle_distance_m >= 0),
    throttle_interval_ms INTEGER CHECK (throttle_interval_ms >= 0),
    home_cell INTEGER,
    retention_ms INTEGER CHECK (retention_ms > 0),
    searchable INTEGER NOT NULL DEFAULT 1 CHECK (searchable IN (0, 1)),
    searchable_by_email INTEGER NOT NULL DEFAULT 0 CHECK (searchable_by_email IN (0, 1)),
    sharing TEXT CHECK (sharing IS NULL OR json_valid(sharing))
, tokens_not_before_ms INTEGER CHECK (tokens_not_before_ms >= 0)) STRICT;
-- 35 areas of fences
CREATE TABLE fences (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
    owner INTEGER REFERENCES people ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    document TEXT NOT NULL
, area BLOB, area_within_m REAL CHECK (area_within_m >= 0)) STRICT;
-- 36 when devices were last heard
CREATE TABLE devices (
    number INTEGER PRIMARY KEY,
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
    token_hash BLOB NOT NULL CHECK (length(token_hash) = 32),
    since_ms INTEGER NOT NULL, last_heard_ms INTEGER,
    UNIQUE (person, id)
) STRICT;
-- 37 whose fences may tell of a person, by friend
CREATE TABLE friend_alerts (
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    friend INTEGER NOT NULL REFERENCES people ON DELETE CASCADE CHECK (friend <> person),
    alerts TEXT NOT NULL CHECK (alerts <> ''),
    PRIMARY KEY (person, friend)
) STRICT, WITHOUT ROWID;
CREATE INDEX friend_alerts_of_friend ON friend_alerts (friend);
-- 38 finding events of groups and comments
CREATE INDEX events_of_comments ON events (type)
    WHERE type IN ('comment.created', 'comment.changed', 'comment.deleted');
CREATE INDEX events_of_groups ON events (subject) WHERE type IN ('group.joined', 'group.left');
-- 39 indexes without triggers
-- 40 names of hidden and remembered places
CREATE TABLE "live_positions" (
    person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE,
    time_ms INTEGER NOT NULL,
    latitude_e7 INTEGER NOT NULL,
    longitude_e7 INTEGER NOT NULL
, accuracy_m REAL, hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1))) STRICT;
CREATE TABLE pings (
    number INTEGER PRIMARY KEY,
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
time_ms BIGINT NOT NULL,
sequence INTEGER NOT NULL CHECK (sequence BETWEEN 0 AND 255),
received_ms BIGINT NOT NULL,
device TEXT NOT NULL,
public_cell BIGINT NOT NULL,
accuracy_m REAL, altitude_m REAL, speed_mps REAL, heading REAL, battery REAL,
position POINT NOT NULL CHECK (length(position) = 60),
seen_until_ms BIGINT CHECK (seen_until_ms >= time_ms),
suspect INTEGER NOT NULL DEFAULT 0 CHECK (suspect IN (0, 1)),
gaps BLOB,
hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)),
    place_cell BIGINT,
    UNIQUE (person, time_ms, sequence)
);
CREATE TABLE positions (
    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
time_ms BIGINT NOT NULL,
sequence INTEGER NOT NULL CHECK (sequence BETWEEN 0 AND 255),
received_ms BIGINT NOT NULL,
device TEXT NOT NULL,
public_cell BIGINT NOT NULL,
accuracy_m REAL, altitude_m REAL, speed_mps REAL, heading REAL, battery REAL,
position POINT NOT NULL CHECK (length(position) = 60),
seen_until_ms BIGINT CHECK (seen_until_ms >= time_ms),
suspect INTEGER NOT NULL DEFAULT 0 CHECK (suspect IN (0, 1)),
gaps BLOB,
hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)),
    PRIMARY KEY (person)
);
CREATE TABLE "remembered_places" (
    person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE,
    places BLOB NOT NULL CHECK (length(places) % 25 = 0)
) STRICT;
-- without haunts
-- 41 attributes of products
CREATE TABLE products (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
    revision INTEGER NOT NULL,
    brand TEXT, name TEXT NOT NULL, category TEXT, gender TEXT,
    colors TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(colors)),
    materials TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(materials)),
    sizes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(sizes)),
    price INTEGER CHECK (price >= 0), currency TEXT CHECK (length(currency) = 3),
    description TEXT, url TEXT, photo TEXT,
    created_ms INTEGER NOT NULL DEFAULT 0, attributes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(attributes)),
    CHECK ((price IS NULL) = (currency IS NULL))
) STRICT;
-- 42 ended tokens of deleted people
CREATE TABLE ended_tokens (
    person_hash INTEGER PRIMARY KEY,
    not_before_ms INTEGER NOT NULL CHECK (not_before_ms >= 0)
) STRICT;
