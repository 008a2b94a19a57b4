// Land in several levels of detail, made by tools/make-data.
static const unsigned char land_json_gz[] = {
#embed "../../data/land/land.json.gz"
};
static const unsigned char land_0_0_json_gz[] = {
#embed "../../data/land/land-0-0.json.gz"
};
static const unsigned char land_0_1_json_gz[] = {
#embed "../../data/land/land-0-1.json.gz"
};
static const unsigned char land_0_2_json_gz[] = {
#embed "../../data/land/land-0-2.json.gz"
};
static const unsigned char land_0_3_json_gz[] = {
#embed "../../data/land/land-0-3.json.gz"
};
static const unsigned char land_1_0_json_gz[] = {
#embed "../../data/land/land-1-0.json.gz"
};
static const unsigned char land_1_1_json_gz[] = {
#embed "../../data/land/land-1-1.json.gz"
};
static const unsigned char land_1_2_json_gz[] = {
#embed "../../data/land/land-1-2.json.gz"
};
static const unsigned char land_1_3_json_gz[] = {
#embed "../../data/land/land-1-3.json.gz"
};
static const unsigned char land_2_0_json_gz[] = {
#embed "../../data/land/land-2-0.json.gz"
};
static const unsigned char land_2_1_json_gz[] = {
#embed "../../data/land/land-2-1.json.gz"
};
static const unsigned char land_2_2_json_gz[] = {
#embed "../../data/land/land-2-2.json.gz"
};
static const unsigned char land_2_3_json_gz[] = {
#embed "../../data/land/land-2-3.json.gz"
};
static const unsigned char land_3_0_json_gz[] = {
#embed "../../data/land/land-3-0.json.gz"
};
static const unsigned char land_3_1_json_gz[] = {
#embed "../../data/land/land-3-1.json.gz"
};
static const unsigned char land_3_2_json_gz[] = {
#embed "../../data/land/land-3-2.json.gz"
};
static const unsigned char land_3_3_json_gz[] = {
#embed "../../data/land/land-3-3.json.gz"
};
static const unsigned char land_4_0_json_gz[] = {
#embed "../../data/land/land-4-0.json.gz"
};
static const unsigned char land_4_1_json_gz[] = {
#embed "../../data/land/land-4-1.json.gz"
};
static const unsigned char land_4_2_json_gz[] = {
#embed "../../data/land/land-4-2.json.gz"
};
static const unsigned char land_4_3_json_gz[] = {
#embed "../../data/land/land-4-3.json.gz"
};
static const unsigned char land_5_0_json_gz[] = {
#embed "../../data/land/land-5-0.json.gz"
};
static const unsigned char land_5_1_json_gz[] = {
#embed "../../data/land/land-5-1.json.gz"
};
static const unsigned char land_5_2_json_gz[] = {
#embed "../../data/land/land-5-2.json.gz"
};
static const unsigned char land_5_3_json_gz[] = {
#embed "../../data/land/land-5-3.json.gz"
};
static const unsigned char land_6_0_json_gz[] = {
#embed "../../data/land/land-6-0.json.gz"
};
static const unsigned char land_6_1_json_gz[] = {
#embed "../../data/land/land-6-1.json.gz"
};
static const unsigned char land_6_2_json_gz[] = {
#embed "../../data/land/land-6-2.json.gz"
};
static const unsigned char land_6_3_json_gz[] = {
#embed "../../data/land/land-6-3.json.gz"
};
static const unsigned char land_7_0_json_gz[] = {
#embed "../../data/land/land-7-0.json.gz"
};
static const unsigned char land_7_1_json_gz[] = {
#embed "../../data/land/land-7-1.json.gz"
};
static const unsigned char land_7_2_json_gz[] = {
#embed "../../data/land/land-7-2.json.gz"
};
static const unsigned char land_7_3_json_gz[] = {
#embed "../../data/land/land-7-3.json.gz"
};

#define FILES_OF_LAND \
    FILE_OF_PAGE(land_json_gz, "land.json.gz"), \
    FILE_OF_PAGE(land_0_0_json_gz, "land-0-0.json.gz"), \
    FILE_OF_PAGE(land_0_1_json_gz, "land-0-1.json.gz"), \
    FILE_OF_PAGE(land_0_2_json_gz, "land-0-2.json.gz"), \
    FILE_OF_PAGE(land_0_3_json_gz, "land-0-3.json.gz"), \
    FILE_OF_PAGE(land_1_0_json_gz, "land-1-0.json.gz"), \
    FILE_OF_PAGE(land_1_1_json_gz, "land-1-1.json.gz"), \
    FILE_OF_PAGE(land_1_2_json_gz, "land-1-2.json.gz"), \
    FILE_OF_PAGE(land_1_3_json_gz, "land-1-3.json.gz"), \
    FILE_OF_PAGE(land_2_0_json_gz, "land-2-0.json.gz"), \
    FILE_OF_PAGE(land_2_1_json_gz, "land-2-1.json.gz"), \
    FILE_OF_PAGE(land_2_2_json_gz, "land-2-2.json.gz"), \
    FILE_OF_PAGE(land_2_3_json_gz, "land-2-3.json.gz"), \
    FILE_OF_PAGE(land_3_0_json_gz, "land-3-0.json.gz"), \
    FILE_OF_PAGE(land_3_1_json_gz, "land-3-1.json.gz"), \
    FILE_OF_PAGE(land_3_2_json_gz, "land-3-2.json.gz"), \
    FILE_OF_PAGE(land_3_3_json_gz, "land-3-3.json.gz"), \
    FILE_OF_PAGE(land_4_0_json_gz, "land-4-0.json.gz"), \
    FILE_OF_PAGE(land_4_1_json_gz, "land-4-1.json.gz"), \
    FILE_OF_PAGE(land_4_2_json_gz, "land-4-2.json.gz"), \
    FILE_OF_PAGE(land_4_3_json_gz, "land-4-3.json.gz"), \
    FILE_OF_PAGE(land_5_0_json_gz, "land-5-0.json.gz"), \
    FILE_OF_PAGE(land_5_1_json_gz, "land-5-1.json.gz"), \
    FILE_OF_PAGE(land_5_2_json_gz, "land-5-2.json.gz"), \
    FILE_OF_PAGE(land_5_3_json_gz, "land-5-3.json.gz"), \
    FILE_OF_PAGE(land_6_0_json_gz, "land-6-0.json.gz"), \
    FILE_OF_PAGE(land_6_1_json_gz, "land-6-1.json.gz"), \
    FILE_OF_PAGE(land_6_2_json_gz, "land-6-2.json.gz"), \
    FILE_OF_PAGE(land_6_3_json_gz, "land-6-3.json.gz"), \
    FILE_OF_PAGE(land_7_0_json_gz, "land-7-0.json.gz"), \
    FILE_OF_PAGE(land_7_1_json_gz, "land-7-1.json.gz"), \
    FILE_OF_PAGE(land_7_2_json_gz, "land-7-2.json.gz"), \
    FILE_OF_PAGE(land_7_3_json_gz, "land-7-3.json.gz"),
