# The files in the cluster's private /etc/slurm. Sourced by `cluster`, which sets $state and $network.
# shellcheck shell=bash disable=SC2154

write_hosts() { # NODES
    echo "127.0.0.1 localhost"
    echo "$network.1 login"
    for i in $(seq "$1"); do echo "$network.$((10 + i)) node$i"; done
}

write_slurm_conf() { # NODES CPUS MEMORY; further lines come from standard input
    cat <<CONF
ClusterName=weft
SlurmctldHost=login($network.1)
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=/run/slurmctld
SlurmctldPidFile=/run/slurmctld.pid
SlurmctldLogFile=$state/log/slurmctld.log
SlurmdSpoolDir=/run/slurmd
SlurmdPidFile=/run/slurmd.pid
SlurmdLogFile=$state/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
PropagateResourceLimits=NONE
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
# A node may claim more CPUs than the machine has.
SlurmdParameters=config_overrides
DefMemPerCPU=100
TopologyPlugin=topology/tree
# How long squeue shows a job that has ended.
MinJobAge=300
MaxArraySize=10001
MpiDefault=none
# Tests do not want to wait: for the scheduler, for a lost node, for a requeued or killed job (which
# waits for its credential to expire).
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,bf_continue
SlurmctldTimeout=10
SlurmdTimeout=10
KillWait=3
# A step reports its end again after a minute where the controller was away. Slurm drains the node
# of a step that has not ended by this time, which is a minute unless said.
UnkillableStepTimeout=180
AuthInfo=cred_expire=5
ReturnToService=2
NodeName=DEFAULT CPUs=$2 Boards=1 SocketsPerBoard=1 CoresPerSocket=$2 ThreadsPerCore=1 \
RealMemory=$3 State=UNKNOWN
$(for i in $(seq "$1"); do echo "NodeName=node$i NodeAddr=$network.$((10 + i))"; done)
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    cat
}

memory_limits() { # whether the nodes have control groups for memory: yes|no
    if [ "$1" = yes ]; then
        echo "TaskPlugin=task/cgroup"
    else
        # Memory is sampled; such a job ends as FAILED, not as OUT_OF_MEMORY.
        echo "TaskPlugin=task/none"
        echo "JobAcctGatherParams=OverMemoryKill"
    fi
}

write_cgroup_conf() {
    echo "CgroupPlugin=cgroup/v1"
    echo "CgroupMountpoint=/run/cgroup"
    echo "ConstrainRAMSpace=yes"
}

write_topology() { # NODES: two leaf switches and a spine
    local half=$((($1 + 1) / 2))
    echo "SwitchName=leaf1 Nodes=node[1-$half]"
    [ "$1" -eq "$half" ] || echo "SwitchName=leaf2 Nodes=node[$((half + 1))-$1]"
    echo "SwitchName=spine Switches=leaf[1-$(($1 > half ? 2 : 1))]"
}

accounting() { # yes|no
    [ "$1" = yes ] || return 0
    echo "AccountingStorageType=accounting_storage/slurmdbd"
    echo "AccountingStorageHost=login"
    echo "AccountingStorageEnforce=limits"
}

write_slurmdbd_conf() {
    cat <<CONF
DbdHost=login
SlurmUser=root
AuthType=auth/munge
PidFile=/run/slurmdbd.pid
LogFile=$state/log/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=root
StorageLoc=slurm_acct_db
CONF
}

write_configuration() { # NODES CPUS MEMORY ACCOUNTING CONTROL_GROUPS
    mkdir -p "$state"/{slurm,log,nodes,munge}
    chmod 755 "$state" "$state/slurm" "$state/munge"
    write_hosts "$1" >"$state/hosts"
    { memory_limits "$5" && accounting "$4"; } |
        write_slurm_conf "$1" "$2" "$3" >"$state/slurm/slurm.conf"
    write_cgroup_conf >"$state/slurm/cgroup.conf"
    write_topology "$1" >"$state/slurm/topology.conf"
    # One folder per step and node, which the nodes must not share as they share /tmp.
    echo "PMIxCliTmpDirBase=/dev/shm" >"$state/slurm/mpi.conf"
    (umask 077 && write_slurmdbd_conf >"$state/slurm/slurmdbd.conf")
    (umask 077 && head -c 128 /dev/urandom >"$state/munge.key")
}

configure() { # KEY=VALUE...: replaces what slurm.conf says of the key
    local setting
    for setting in "$@"; do
        grep -q "\b${setting%%=*}=" "$state/slurm/slurm.conf" ||
            fail "slurm.conf has no ${setting%%=*} to replace"
        sed -i "s/\b${setting%%=*}=[^ ]*/$setting/" "$state/slurm/slurm.conf"
    done
}
